// Answers of the worker that views need beside the picture: asked once for each key, for all views that show them.

/** `changed()` is called when an answer has come. */
export function createQuestions(changed) {
  const known = new Map(); // name → { key, isDue, answer }
  const isSame = (key, other) => key.every((one, at) => Object.is(one, other[at]));

  return {
    /** The latest question of this name and its answer, or null. */
    latest: (name) => known.get(name) ?? null,

    /**
     * { answer, isDue } of a question: `isDue` while it is that of an older key, or null. `key`: list of what the answer
     * depends on; `ask()` resolves to the answer; an
     * error is the answer { problem }.
     */
    get(name, key, ask) {
      const before = known.get(name);
      if (before && isSame(key, before.key)) return before;
      const now = { key, isDue: true, answer: before?.answer ?? null };
      known.set(name, now);
      const problem = ({ message }) => ({ problem: message });
      ask()
        .catch(problem)
        .then((answer) => {
          if (known.get(name) !== now) return; // another question is asked
          Object.assign(now, { isDue: false, answer });
          changed();
        });
      return now;
    },
  };
}
