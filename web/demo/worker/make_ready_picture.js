// What the worker answers for the state that the page opens with: asked for when the page is built, in Node.

import { loadAttention } from 'attention-wasm';
import { packPicture } from '../ready_picture.js';
import { openingState } from '../state_fields.js';
import { createShow } from './show.js';

export async function makeReadyPicture() {
  const said = [];
  const { show } = createShow((message) => said.push(message));
  const api = await loadAttention();
  const signal = { aborted: false };
  await show(0, openingState, { api, signal, step: async () => {}, files: 0 });
  return packPicture(said.findLast(({ type }) => type === 'shown'));
}
