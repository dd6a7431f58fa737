// Actions that need what is shown, in terms of those of actions.js.

import { placeInPicture } from '../state/derived.js';
import { fieldsOf, isOfTexts } from '../texts.js';

/** `get()`: the store; `act`: result of createActions(). */
export function createPageActions(get, act) {
  const { change } = act;
  return {
    chooseMode(mode) {
      // From self-attention within a translation, Cross leads to its cross-attention.
      change({ mode, ...(mode === get().chosen.mode && { part: '' }) });
    },

    /** An unchanged example is replaced by one of the new source; the reader's own text stays. */
    chooseSource(source) {
      const { chosen, sources } = get();
      const { mode } = chosen;
      const texts = fieldsOf(chosen).map((name) => chosen[name]);
      const [before, after] = [chosen.source, source].map((id) =>
        sources.find((one) => one.id === id),
      );
      const isShown = ({ first, second = texts[1] }) => first === texts[0] && second === texts[1];
      const isExample = before.examples.some((one) => one.mode === mode && isShown(one));
      const example = after.examples.find((one) => one.mode === mode);
      const written = fieldsOf({ source, mode }).map((name, at) => [name, texts[at]]);
      change({ source, part: '', head: 0, ...Object.fromEntries(written) });
      if (isExample && example) act.startExample(example);
    },

    toggleFlow: () => change({ flow: !get().chosen.flow }),
    isModelShown: () => get().chosen.source === 'own',

    /** Opens a model that was trained here, with these fields of the state. */
    openTrained(files, state) {
      change({ ...state, source: 'own', part: '', head: 0, row: null, column: null, french: '' });
      act.dropModel({ entries: [], files });
    },

    /** Ends the tour in a mode with texts. */
    tryText() {
      const { mode } = get().chosen;
      change({ tour: null, mode: isOfTexts(mode) ? mode : 'cross' });
    },

    /** Selects a word before or after the selected one; false where there is none. */
    stepBy(count) {
      const now = get();
      const { picture } = now.answer;
      if (!picture || now.chosen.tour !== null || !isOfTexts(now.chosen.mode)) return false;
      const { length } = picture.rows;
      act.read((placeInPicture(picture, now.chosen).row + count + length) % length);
      return true;
    },
  };
}
