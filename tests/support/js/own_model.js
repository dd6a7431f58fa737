// The reader's model as the page's worker reads it, without a browser: its files, and a case's input read by it.

import { loadAttention } from 'attention-wasm';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { close, open, read } from '../../../web/demo/worker/sources/own_model.js';
import { seededWeights } from './seeded_weights.js';

const context = { api: await loadAttention(), step: async () => {}, report: () => {} };

/** A chosen folder with these files, { name: content }. */
export const folderOf = (contents) =>
  Object.entries(contents).map(([name, content]) => ({
    path: `mine/${name}`,
    file: new File([content], name),
  }));

/** The two files of a case of models_with_tokens.js, { name: content }. */
export const filesOf = (one) => ({
  'config.json': JSON.stringify(one.config),
  'model.safetensors': writeSafetensors(seededWeights(one)),
});

/** Opens a case, reads its input with `block`, resolves to use(reading, input), and closes it. */
export async function withReading(one, block, use, weights) {
  await open({ files: folderOf(filesOf(one)), weights }, context);
  try {
    const { ids, decoderIds } = one.input;
    const isTwo = decoderIds !== undefined;
    const first = (decoderIds ?? ids).slice(isTwo ? 1 : 0).join(' ');
    const texts = { mode: isTwo ? 'cross' : 'self', first, second: ids.join(' ') };
    const reading = await read({ ...texts, ...(block && { block }) }, context);
    const start = one.config.decoder_start_token_id;
    const input = isTwo ? { ids, decoderIds: [start, ...decoderIds.slice(1)] } : { ids };
    return await use(reading, input);
  } finally {
    await close();
  }
}
