// Build step, in Node.js: runs the worker's code for the page's initial state, and measures the reference shares of the
// model's heads.

import { loadAttention } from 'attention-wasm';
import { withWords } from './prerendered_words.js';
import { previewPNG } from './preview_picture.js';
import { packPicture } from './demo/packed_picture.js';
import { openingState } from './demo/state_fields.js';
import { referenceShares } from './demo/worker/compute/reference_shares.js';
import { createAnswers } from './demo/worker/answer/answers.js';

let made;

/** The packed initial picture, computed once. */
export async function prerenderPicture() {
  return packPicture(await openingPictureOnce());
}

/** The preview picture as a PNG file. */
export async function makePreview() {
  const { picture } = await openingPictureOnce();
  return previewPNG(picture, openingState);
}

/** index.html with the words of the initial picture. */
export async function prerenderWords(html) {
  return withWords(html, await openingPictureOnce(), openingState);
}

const openingPictureOnce = () => (made ??= openingPicture());

async function openingPicture() {
  const said = [];
  const api = await loadAttention();
  const { show } = createAnswers((message) => said.push(message), await referenceShares(api));
  const signal = { aborted: false };
  await show(0, openingState, { api, signal, step: async () => {}, files: 0 });
  return said.findLast(({ type }) => type === 'shown');
}

export const measureReferenceShares = async () => referenceShares(await loadAttention());
