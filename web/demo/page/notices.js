// Sentences of the page about a picture, and where there is none.

import { isMarks } from '../positions.js';
import { isOnlyDrawn } from '../state/settings.js';

/** The reason why these texts have no picture; `writes`: the source writes one of them. */
export function whyEmpty({ mode, writes }, { counts: [rows, columns], why }) {
  if (why) return why;
  if (rows > 0 && columns > 0) return 'There are special tokens only, and those are hidden.';
  if (mode === 'self') return 'Write a text, or choose an example, to see its attention.';
  if (rows === 0 && columns === 0) {
    return writes
      ? 'Write a text for the model to translate, or choose an example.'
      : 'Write two texts, or choose an example.';
  }
  return rows === 0
    ? 'Write the text that looks: its words become the rows.'
    : 'Write the text it looks at: its words become the columns.';
}

/** @import { Loading } from '../state/types' */
/** @type {{ loading: Loading | null, isSaid: boolean }} */
const quiet = { loading: null, isSaid: false };

/** Meaning of a row, at the beginning of the note of a reading. */
const ofRows = /^(Each row shows[^.]*\.)? ?/;

/**
 * The note below the map: what is to be known, and what explains rows and columns. `loading`: how much of the model has
 * come, or null; `isSaid`: the sentence says it.
 */
export function noteOf(facts, state, picture, { loading, isSaid } = quiet) {
  const notes = [];
  const explains = [];
  if (isOnlyDrawn(state, facts)) {
    notes.push(
      'These settings change only this picture: the model itself keeps its own softmax, scale and mask.',
    );
  }
  if (facts?.isPrerendered && !isSaid) {
    notes.push(
      loading
        ? `${loading.text}. It makes all other pictures.`
        : 'The model that makes all other pictures is on its way.',
    );
  }
  const last = picture?.columns.at(-1);
  if (last && isMarks(last)) {
    explains.push(
      last.text === 'marks'
        ? 'The column “marks” has the weights on punctuation and on marks such as </s>.'
        : 'The column “the rest” has the weights on all that is left out.',
    );
  }
  if (picture?.part.startsWith('decoder') && picture.rowTokens.some(({ length }) => length > 1)) {
    explains.push(
      'A word of several pieces can look at itself: its later pieces look at its earlier ones.',
    );
  }
  if (facts?.note && state.source !== 'ngrams') {
    const [start, row] = /** @type {RegExpExecArray} */ (ofRows.exec(facts.note));
    if (row) explains.push(row);
    if (facts.note !== start) notes.push(facts.note.slice(start.length));
  }
  return { says: notes.join(' '), explains: explains.join(' ') };
}
