// What the page makes of a model of the reader's own: for every family of the fixtures the queries, keys and scales that
// it draws with give the weights that run() returns.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { computeWeights } from '../../web/demo/worker/compute/stages.js';
import { close, open, read } from '../../web/demo/worker/sources/own_model.js';
import { initialState } from '../../web/demo/state_fields.js';
import { cases } from '../support/js/models_with_tokens.js';
import { seededWeights } from '../support/js/seeded_weights.js';

const api = await loadAttention();
const context = { api, step: async () => {}, report: () => {} };

/** As a reader chooses them: a folder with two files. */
function filesOf({ config, ...rest }) {
  const numbers = writeSafetensors(seededWeights(rest));
  return [
    { path: 'mine/config.json', file: new File([JSON.stringify(config)], 'config.json') },
    { path: 'mine/model.safetensors', file: new File([numbers], 'model.safetensors') },
  ];
}

/** The largest difference between the weights of parts and those of run(), part for part. */
function farthest(reading, kinds, attentions) {
  let most = 0;
  for (const kind of kinds) {
    const parts = reading.parts.filter(({ id }) => id.startsWith(`${kind}.`));
    parts.sort((a, b) => (a.id < b.id ? -1 : 1));
    assert.equal(parts.length, attentions[kind].length);
    parts.forEach((part, n) => {
      const drawn = computeWeights(api, part, reading, initialState);
      const { data } = attentions[kind][n];
      assert.equal(drawn.length, data.length, part.id);
      data.forEach((weight, at) => {
        const off = Math.abs(drawn[at] - weight);
        most = Math.max(most, Number.isNaN(off) ? Infinity : off);
      });
    });
  }
  return most;
}

const isText = ({ input }) => !input.pixels;

describe('a model of the reader’s own', () => {
  for (const [name, one] of Object.entries(cases).filter(([, each]) => isText(each))) {
    it(`draws the weights that run() returns: ${name}`, async () => {
      const model = await loadModel({ config: one.config, weights: seededWeights(one) });
      await open({ files: filesOf(one) }, context);
      const { ids, decoderIds } = one.input;
      const first = (decoderIds ?? ids).slice(decoderIds ? 1 : 0).join(' ');
      const isTwo = decoderIds !== undefined;
      const reading = await read(
        { mode: isTwo ? 'cross' : 'self', first, second: ids.join(' ') },
        context,
      );
      const start = one.config.decoder_start_token_id;
      const input = isTwo ? { ids, decoderIds: [start, ...decoderIds.slice(1)] } : { ids };
      const { attentions } = model.run(input, { attentions: true });
      model.delete();
      const kinds = isTwo
        ? ['encoder', 'decoder', 'cross']
        : [attentions.self ? 'self' : 'encoder'];
      assert.equal(reading.why, undefined);
      assert.ok(farthest(reading, kinds, attentions) < 1e-6);
      await close();
    });
  }
});
