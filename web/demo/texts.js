// Texts of the state and the two fields that show them: the first field has the rows, the second the columns. The text
// of self-attention is the text that the model translates.

/** @import { Mode } from './types' */
/** @import { State } from './state/types' */

/** @typedef {'text' | 'french' | 'context'} TextName */

/** @type {Record<'self' | 'cross', TextName[]>} */
const byModel = { self: ['text'], cross: ['french', 'text'] };
/** @type {Record<'self' | 'cross', TextName[]>} */
const byOthers = { self: ['text'], cross: ['text', 'context'] };

/**
 * True if the mode shows one or two texts; other modes have no picture.
 * @param {Mode} mode
 */
export const isOfTexts = (mode) => mode === 'self' || mode === 'cross';

/**
 * The translation model, or the reader's: in cross-attention it can write the first text.
 * @param {Pick<State, 'source'>} state
 */
export const isOfModel = ({ source }) => source === 'model' || source === 'own';

/**
 * State fields shown in the two text fields.
 * @param {Pick<State, 'source' | 'mode'>} state
 */
export const fieldsOf = ({ source, mode }) =>
  (isOfModel({ source }) ? byModel : byOthers)[mode === 'cross' ? 'cross' : 'self'];

/**
 * [first, second]; for self-attention both are the same.
 * @param {Pick<State, 'source' | 'mode' | TextName>} state
 * @returns {[string, string]}
 */
export function textsOf(state) {
  const [first, second = first] = fieldsOf(state);
  return [state[first], state[second]];
}
