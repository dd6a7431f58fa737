// A setting with few values, side by side.

export const Choice = ({ id, label, choices, state, isOff, change }) => (
  <fieldset class="segments">
    <legend>{label}</legend>
    {choices.map(([value, name]) => (
      <label key={value}>
        <input
          type="radio"
          name={id}
          value={value}
          checked={state[id] === value}
          disabled={isOff}
          onChange={({ currentTarget }) => currentTarget.checked && change({ [id]: value })}
        />
        <span>{name}</span>
      </label>
    ))}
  </fieldset>
);
