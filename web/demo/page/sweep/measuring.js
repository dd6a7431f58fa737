// The sweep that is measured or shown: starts it, collects its messages, stops it.

/** What the numbers of a sweep depend on, besides heads or words. */
export const basisOf = ({ state: { source, mode, block }, facts }) => {
  const { from, requestedTexts, translation, grid, note } = facts;
  // Images differ by their classes.
  const image = grid && note;
  return JSON.stringify([source, mode, block, from, requestedTexts, translation, image]);
};

/** `sweep(question, tell)` as in worker_link.js; `changed()` is called after each message. */
export function createMeasuring(sweep, changed) {
  let running = null; // { basis }
  let found = null; // { plan, runs, basis, isDone }
  let why = ''; // the reason why nothing could be measured

  function hear({ plan, first, runs, isDone, why: reason, problem }) {
    if (!running) return;
    if (plan) found = { plan, runs: [], basis: running.basis, isDone: false };
    if (runs && first === found.runs.length) found.runs.push(...runs);
    if (isDone) found.isDone = true;
    why = reason ?? (problem === undefined ? '' : `It could not be measured: ${problem}.`);
    if (isDone || why !== '') running = null;
    changed();
  }

  return {
    found: () => found,
    why: () => why,
    isRunning: () => running !== null,

    /** `at`: { state, picture, facts, place } */
    start(at) {
      const { state, picture, place } = at;
      [found, why, running] = [null, '', { basis: basisOf(at) }];
      const row = picture.rowTokens[place.row].at(-1);
      const { sweep: over, source } = state;
      sweep({ over, part: picture.part, row, source }, hear);
    },

    stop() {
      if (!running) return;
      running = null;
      sweep(null);
    },

    /** Stops a sweep of other texts or other blocks. */
    stopIfOld(at) {
      if (running && running.basis !== basisOf(at)) this.stop();
    },

    /** Whether the numbers are those of other texts or other blocks. */
    isOld: (at) =>
      found !== null && (found.basis !== basisOf(at) || found.plan.over !== at.state.sweep),
  };
}
