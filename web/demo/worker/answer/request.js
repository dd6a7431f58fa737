// The request for a picture: the state of the page as a question to a source. An answer names the request by its id.

import { textsOf } from '../../texts.js';
import { viewNamed } from '../../view_list.js';
import { sources } from '../sources/source_list.js';

/** @import { State } from '../../state/types' */
/** @import { PictureRequest, RequestContext, SourceQuestion } from '../types' */

/**
 * @param {number} id
 * @param {State} state
 * @param {RequestContext} context
 * @returns {PictureRequest}
 */
export function requestOf(id, state, context) {
  const source = sources.find((one) => one.id === state.source) ?? sources[0];
  const { mode, heads, positions, begin, file, model, example, readFrom } = state;
  const [first, second] = textsOf(state);
  const block = source.canBlock && state.block;
  /** @type {SourceQuestion} */
  const question = {
    ...{ mode, first, second, heads, positions, begin },
    ...(block && { block }),
    ...(file && { file }),
    ...(readFrom > 0 && { from: readFrom }),
    ...(model && source.settings.includes('model') && { model }),
    ...(source.settings.includes('files') && { example: example - 1 }),
  };
  return withKey({ ...context, id, state, source, question });
}

/**
 * The request for the text beside, or null if no text is compared. Blocks name words of the first text: it has none.
 * @param {PictureRequest} request
 * @returns {PictureRequest | null}
 */
export function besideRequestOf(request) {
  const { state } = request;
  if (viewNamed(state.view).needs !== 'beside' || state.beside !== 'text') return null;
  const [first, second] = textsOf({ ...state, text: state.otherText });
  const { block: _block, from: _from, ...question } = request.question;
  return withKey({ ...request, question: { ...question, first, second, begin: '' } });
}

/** @type {(request: Omit<PictureRequest, 'key'>) => PictureRequest} */
const withKey = (request) => ({
  ...request,
  key: JSON.stringify([request.source.id, request.question, request.files, request.api.kernels]),
});
