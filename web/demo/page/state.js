// The page's one state: everything on the screen follows from it and from what the worker answers.

/** `onChange(state, changed names, state of before)` is told once for every change(). */
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
