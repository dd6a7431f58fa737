// Names of the two text fields, as the source has them: “French: yours” is a name and what the text is.

/** @import { Source } from '../types' */

/**
 * Names of the first and the second field: { names: of what is typed into them, read: of what is shown in them }.
 * `isFilled`: the source wrote the text of the empty first field.
 * @param {Pick<Source, 'fields'>} source
 */
export function fieldNames({ fields }, mode, facts, isFilled) {
  const names = fields?.[mode] ?? [];
  // A part without cross-attention shows one text in both fields.
  const read = (mode === 'cross' && fields?.[facts?.part.split('.')[0]]) || names;
  const [first, ...rest] = read;
  return {
    names,
    read: [isFilled ? first?.replace(/: yours$/, ': by the model') : first, ...rest],
  };
}

/** [name, what the text is] */
export const partsOfName = (name = '') => {
  const [title, says = ''] = name.split(': ');
  return [title, says];
};
