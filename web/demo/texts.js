// The texts of the state, and which of them stand in the two fields of the page: the first has the rows, the
// second the columns. A text that looks at itself is the same text that another one looks into by the model.

const byModel = { self: ['text'], cross: ['french', 'text'] };
const byOthers = { self: ['text'], cross: ['text', 'context'] };

/** Ours or the reader's own: where it looks across, it writes the first of the two. */
const isModel = (source) => source === 'model' || source === 'own';

/** The names of the state's fields. */
export const fieldsOf = ({ source, mode }) =>
  (isModel(source) ? byModel : byOthers)[mode === 'cross' ? 'cross' : 'self'];

/** [first, second]; of one text both are the same. */
export function textsOf(state) {
  const [first, second = first] = fieldsOf(state);
  return [state[first], state[second]];
}
