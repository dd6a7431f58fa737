// Saving and copying of what is shown. The code of the formats is loaded with the first export.

import { messageOf } from '../../../lib/arguments/message_of.js';

/** @import { Questions } from '../../state/types' */

/**
 * Resolves to what was done, or why not, as a sentence.
 * @param {object} shown { state, picture, facts, selection, settings, views, tensors() }, and what has come of the tables of tables.js
 * @param {Questions['saved']['ask']} order
 * @param {(step: Questions['saved']['step']) => void} tell
 * @returns {Promise<string>}
 */
export async function saveShown(shown, { format, paper }, tell) {
  try {
    const { saveTable, ways, withoutPicture } = await import('./formats.js');
    if (!shown.picture && format !== 'viewer') return withoutPicture(format, shown.state);
    if (!Object.hasOwn(ways, format)) return saveTable(format, shown);
    return await ways[format](shown, { paper, showText: (text) => tell({ copied: text }) });
  } catch (error) {
    return `That could not be made: ${messageOf(error)}.`;
  }
}
