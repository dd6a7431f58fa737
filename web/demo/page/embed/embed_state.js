// State of the embedded page: the fields of its link, which its reader changes by selecting.

/** `onChange(state, changed names, previous state)` is called once for every change(). */
export function createState(initial, onChange) {
  let state = { ...initial };
  return {
    get: () => state,
    change(part) {
      const changed = Object.keys(part).filter((name) => !Object.is(part[name], state[name]));
      if (changed.length === 0) return;
      const before = state;
      state = { ...state, ...part };
      onChange(state, changed, before);
    },
  };
}
