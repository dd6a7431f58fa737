// A setting with many values.

export const Select = ({ id, label, choices, state, isOff, change }) => (
  <div class="line">
    <label for={id}>{label}</label>
    <select
      id={id}
      value={state[id]}
      disabled={isOff}
      onChange={({ currentTarget }) => change({ [id]: currentTarget.value })}
    >
      {choices.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  </div>
);
