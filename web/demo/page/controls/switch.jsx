// A setting that is on or off.

export const Switch = ({ id, label, state, facts, isOff, change }) => (
  <label class="switch" for={id}>
    <span>{label}</span>
    <input
      type="checkbox"
      role="switch"
      id={id}
      checked={!isOff && (state[id] ?? facts?.causal ?? false)}
      disabled={isOff}
      onChange={({ currentTarget }) => change({ [id]: currentTarget.checked })}
    />
  </label>
);
