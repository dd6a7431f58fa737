// The trained model in the worker's answer: the weights of every layer and head are the translator's, for a text, its
// translation, French of the reader's own, and with something blocked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { askWorker } from '../../support/js/page_answer.js';

const translator = await loadTranslator();
const english = 'She has a small black dog.';
const plain = { source: 'model', merge: false, hideSpecial: false };
const textsOf = (labels) => labels.map(({ text }) => text);

/** Asks for every part, and compares it with the library's result; a head that is `off` still shows where it looks. */
async function assertParts(state, { source, target, inputs, attention }, off = '') {
  const ask = askWorker();
  const labels = { encoder: [source, source], decoder: [target, inputs], cross: [target, source] };
  for (const [stack, layers] of Object.entries(attention)) {
    for (const [layer, { data, dims }] of layers.entries()) {
      const part = `${stack}.${layer}`;
      const { picture } = await ask({ ...plain, ...state, part });
      assert.equal(picture.part, part);
      const expected = labels[stack].map(({ tokens }) => textsOf(tokens));
      assert.deepEqual([textsOf(picture.rows), textsOf(picture.columns)], expected, part);
      const { weights } = picture.stages;
      assert.equal(weights.length, data.length, part);
      data.forEach((weight, at) => {
        const head = Math.floor(at / (dims[1] * dims[2]));
        if (`${part}.${head}` === off) return;
        assert.ok(Math.abs(weights[at] - weight) < 1e-6, `${part}, ${at}: ${weights[at]}`);
      });
    }
  }
}

describe('the trained model', () => {
  it('has the weights of an English text', () =>
    assertParts({ mode: 'self', text: english }, translator.encode(english)));

  it('has those of the translation that it writes, and of French of the reader’s own', async () => {
    await assertParts({ mode: 'cross', text: english }, translator.translate(english));
    const target = 'Elle a un minuscule chien noir.';
    const state = { mode: 'cross', text: english, french: target };
    await assertParts(state, translator.translate(english, { target }));
  });

  it('has those of a run with the edits of what is blocked', async () => {
    const { source, target } = translator.translate(english);
    const [query, key] = [target, source].map(({ tokens }) =>
      tokens.findIndex(({ text }) => ['noir', 'black'].includes(text)),
    );
    const [decoder, encoder] = ['decoder', 'encoder'].map((stack) =>
      translator.translate(english).attention[stack].map((_, layer) => layer),
    );
    const link = { at: 'scores', stack: 'cross', query, key, to: 'blocked' };
    const head = { at: 'scores', stack: 'cross', layer: 1, head: 0, to: 'blocked' };
    const others = source.tokens.flatMap((_, at) => (at === key ? [] : [at]));
    const word = { at: 'scores', key, to: 'blocked' };
    for (const [block, edits] of [
      [`cross:${query}-${key}`, [{ ...link, layer: decoder }]],
      [`cross.1.0:${query}-${key}`, [{ ...link, layer: 1, head: 0 }]],
      ['cross.1.0', [head]],
      [
        `encoder:${key}`,
        [
          { ...word, stack: 'encoder', layer: encoder, query: others },
          { ...word, stack: 'cross', layer: decoder },
        ],
      ],
    ]) {
      const result = translator.translate(english, { edits });
      await assertParts({ mode: 'cross', text: english, block }, result, block);
    }
  });
});
