// The request for a picture: the state of the page as a question to a source. An answer names the request by its id.

import { textsOf } from '../../texts.js';
import { viewNamed } from '../../view_list.js';
import { sources } from '../sources/source_list.js';

/**
 * @param {number} id
 * @param {object} state state of the page
 * @param {{ api, signal, step: () => Promise<void>, files: number }} context `files`: count of files opened and closed:
 * with another count the same text may have other vectors
 * @returns {object} the context with { id, state, source, question, key }; `question` is what source.read() takes, equal
 * keys have the same answer
 */
export function requestOf(id, state, context) {
  const source = sources.find((one) => one.id === state.source) ?? sources[0];
  const { mode, heads, positions, begin, file } = state;
  const [first, second] = textsOf(state);
  const block = source.canBlock && state.block;
  const question = {
    ...{ mode, first, second, heads, positions, begin },
    ...(block && { block }),
    ...(file && { file }),
  };
  return withKey({ ...context, id, state, source, question });
}

/** The request for the text beside, or null if no text is compared. Blocks name words of the first text: it has none. */
export function besideRequestOf(request) {
  const { state } = request;
  if (viewNamed(state.view).needs !== 'beside' || state.beside !== 'text') return null;
  const [first, second] = textsOf({ ...state, text: state.otherText });
  const { block: _block, ...question } = request.question;
  return withKey({ ...request, question: { ...question, first, second, begin: '' } });
}

const withKey = (request) => ({
  ...request,
  key: JSON.stringify([request.source.id, request.question, request.files, request.api.kernels]),
});
