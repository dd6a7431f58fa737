// A choice of one among a few values, as a row of segments.

/** `values`: [[value, text]]. */
export const Segments = ({ name, title, value, values, choose }) => (
  <fieldset class="segments">
    <legend class="unseen">{title}</legend>
    {values.map(([one, text]) => (
      <label key={one}>
        <input
          type="radio"
          name={name}
          value={one}
          checked={one === value}
          onChange={() => choose(one)}
        />
        <span>{text}</span>
      </label>
    ))}
  </fieldset>
);
