// The store of the page: what the reader chose and what came back. Everything on the screen, in the address and in the
// worker's requests is derived from it. Data goes one way: input → update() → listeners; nobody writes while it is shown.

/** `initial`: result of initialStore(); `follow(store)` returns the store with what follows from a change. */
export function createStore(initial, follow = (store) => store) {
  const listeners = [];
  let now = initial;
  let isShowing = false;
  return {
    get: () => now,

    /** Replaces the store by `change(store, ...what)`, one of the functions of changes.js and answers.js. */
    update(change, ...what) {
      if (isShowing) throw new Error('the store cannot be changed while it is shown');
      const before = now;
      now = follow(change(before, ...what));
      if (now === before) return;
      isShowing = true;
      try {
        for (const listener of listeners) listener(now, before);
      } finally {
        isShowing = false;
      }
    },

    /** `listener(now, before)` is called after each change, in the order of subscription. */
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

/** Nothing has been answered. */
export const noAnswer = { picture: null, facts: null, inspection: null };

/**
 * @param {object} chosen fields of state_fields.js: texts, model, layer, head, pair, view, settings, blocks
 * @param {object | null} ready { picture, facts } that was made for `chosen` when the page was built
 */
export const initialStore = (chosen, ready = null, sources = []) => ({
  chosen,
  hovered: null, // position in the picture under the pointer
  piece: null, // { row, column }: pair of tokens that the reader chose in the inspector
  example: null, // { first, word, isCompared }: example whose picture is being computed, and the word to select in it
  isTyped: false, // the latest change of `chosen` was typed into a text field
  isPlaced: true, // the selection was made for the picture that is being computed
  asked: { picture: 0, inspection: 0, difference: 0, sweep: 0 }, // counts of requests so far
  awaited: { picture: false, inspection: false }, // the answer to the latest request is due
  answer: { ...noAnswer, ...ready }, // latest answer of the worker
  readyFor: ready && chosen, // whose texts have the ready picture, which partial answers do not replace
  sweep: null, // what each head or word changes, as sweep.js has it, while its panel is open
  loading: null, // { text, fraction? }: how much of the trained model has come, while a picture waits for it
  problem: '', // why there is no picture, as a sentence
  sources, // of vectors, as source_list.js has them, without their code
});
