// Build step, in Node.js: runs the worker's code for the page's initial state, lists the sources of vectors, and measures
// the reference shares of the model's heads.

import './jsx_in_node.js';
import { loadAttention } from 'attention-wasm';
import { previewPNG } from './preview_picture.js';
import { packPicture } from './demo/packed_picture.js';
import { placeIn } from './demo/positions.js';
import { openingState } from './demo/state_fields.js';
import { referenceShares } from './demo/worker/compute/reference_shares.js';
import { createAnswers } from './demo/worker/answer/answers.js';
import { sources } from './demo/worker/sources/source_list.js';

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

/** index.html with the page's body as it opens, with the initial picture's words, sentence and numbers. */
export async function prerenderBody(html) {
  const { withOpening } = await import('./prerendered_body.js'); // whose components are .jsx
  return withOpening(html, { ...(await openingPictureOnce()), sources: listSources() });
}

/** embed.html with its body as it opens. */
export async function prerenderEmbed(html) {
  const { withEmbed } = await import('./prerendered_body.js');
  return withEmbed(html);
}

/** What the page shows of the sources of vectors. */
export const listSources = () =>
  sources.map(({ id, name, says, settings, fields, meaning, examples }) => {
    return { id, name, says, settings, fields, meaning, examples };
  });

const openingPictureOnce = () => (made ??= openingPicture());

async function openingPicture() {
  const shown = [];
  const api = await loadAttention();
  const { show, nextWords } = createAnswers(await referenceShares(api));
  const { signal } = new AbortController();
  await show(
    openingState,
    { shown: (answer) => shown.push(answer), progress() {} },
    { api, signal, step: async () => {}, files: 0 },
  );
  const { picture, facts } = shown.at(-1);
  const tokens = picture.rowTokens[placeIn(picture, openingState).row];
  const next = await nextWords({ token: tokens[0], last: tokens.at(-1) });
  return { picture, facts: { ...facts, next } };
}

export const measureReferenceShares = async () => referenceShares(await loadAttention());
