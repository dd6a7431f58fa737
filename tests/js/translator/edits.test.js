// attention-wasm/translator: edits in translate(), encode() and nextWords(), compared with run() of the same checkpoint.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { ablate, knockout, loadModel, steer } from 'attention-wasm/models';
import { loadTranslator } from 'attention-wasm/translator';
import { BytePairTokenizer } from '../../../web/lib/translator/byte_pair_tokenizer.js';
import { Sentences } from '../../../web/lib/translator/sentences.js';
import { createWordSearch } from '../../../web/lib/translator/word_search.js';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { root } from '../../support/js/package.js';

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
const translator = await loadTranslator();
const model = await loadModel({
  config: readJson('web/model/config.json'),
  weights: readFileSync(join(root, 'web/model/english_french.safetensors')),
  tokenizer: readJson('web/model/tokenizer.json'),
});
const tokenizer = readJson('web/model/tokenizer.json');
const sentences = new Sentences(new BytePairTokenizer(tokenizer), model.vocabularySize);
after(() => [translator, model].forEach((one) => one.delete()));

const sentence = 'the red car is fast .';
const idsOf = ({ tokens }) => tokens.map(({ id }) => id);
const { layers, heads } = model;
const allHeads = Array.from({ length: heads }, (_, head) => head);
const width = translator.encode(sentence).output.dims[1];
const vector = Array.from({ length: width }, (_, c) => Math.sin(c));

const lists = {
  'heads of cross-attention': ablate(layers - 1, [0, 2], { stack: 'cross' }),
  'links of cross-attention': knockout({
    layers: Array.from({ length: layers }, (_, n) => n),
    stack: 'cross',
    key: [1, 2],
  }),
  'the encoder': steer(0, vector, { stack: 'encoder', query: [1] }),
  'keys and values of the encoder': [
    { at: 'v', stack: 'cross', layer: 0, key: 3, to: { scale: -1 } },
    { at: 'k', stack: 'cross', layer: [0, 1], head: 1, to: 'zero' },
  ],
  'positions that are reached later': [
    ...steer(0, vector, { stack: 'decoder', query: [2, 400], scale: 0.5 }),
    ...knockout({ layers: 0, stack: 'decoder', query: [1, 2, 3, 4, 5], key: 1 }),
  ],
};
const listNames = Object.keys(lists);
lists['all of these'] = listNames.flatMap((name) => lists[name]);

/** The edits without the decoder positions that a text of n tokens does not have. */
const reached = (edits, n) =>
  edits.flatMap((edit) => {
    if (edit.stack !== 'decoder' || !edit.query) return [edit];
    const query = edit.query.filter((position) => position < n);
    return query.length > 0 ? [{ ...edit, query }] : [];
  });

const plain = translator.translate(sentence);

describe('edits of the translator', () => {
  for (const [name, edits] of Object.entries(lists)) {
    it(`explain a sentence as run() does: ${name}`, () => {
      const got = translator.translate(sentence, { target: plain.text, edits });
      const decoderIds = idsOf(got.inputs);
      const want = model.run(
        { ids: idsOf(got.source), decoderIds },
        { attentions: true, edits: reached(edits, decoderIds.length) },
      );
      for (const part of ['encoder', 'decoder', 'cross']) {
        want.attentions[part].forEach((tensor, n) => {
          assert.equal(explainBitDifference(got.attention[part][n], tensor), '', `${part} ${n}`);
        });
      }
      const wanted = idsOf(got.target).map((id, n) => {
        const row = want.logits.data.subarray(
          n * want.logits.dims[1],
          (n + 1) * want.logits.dims[1],
        );
        const largest = Math.max(...row);
        return row[id] - largest - Math.log(row.reduce((sum, x) => sum + Math.exp(x - largest), 0));
      });
      const tensorOf = (numbers) => ({ data: Float32Array.from(numbers), dims: [numbers.length] });
      assert.equal(explainDifference(tensorOf(got.logProbabilities), tensorOf(wanted), 1e-4), '');
      assert.notDeepEqual(
        got.logProbabilities,
        translator.translate(sentence, { target: plain.text }).logProbabilities,
      );
    });

    it(`hold in the search: ${name}`, () => {
      // With one beam, each token is the likeliest of run() after those before it.
      const { source, target, inputs } = translator.translate(sentence, { beam: 1, edits });
      const tokens = idsOf(target);
      const start = idsOf(inputs)[0];
      const known = new Set(['<pad>', '<s>']);
      for (let n = 0; n < Math.min(tokens.length, 8); n++) {
        const decoderIds = [start, ...tokens.slice(0, n)];
        const { logits } = model.run(
          { ids: idsOf(source), decoderIds },
          { edits: reached(edits, decoderIds.length) },
        );
        const row = logits.data.slice(-logits.dims[1]);
        row.forEach((_, id) => {
          if (known.has(model.tokenizer.tokenOf(id))) row[id] = -Infinity;
        });
        if (n === 0) continue; // words that cannot be first are excluded
        assert.equal(row.indexOf(Math.max(...row)), tokens[n], `token ${n} of ${target.text}`);
      }
    });

    it(`hold for the next words: ${name}`, () => {
      const words = translator.nextWords(sentence, { target: plain.text, word: 2, edits });
      const ids = idsOf(translator.encode(sentence).source);
      const before = plain.target.tokens.filter(({ word }) => word < 2).map(({ id }) => id);
      const start = idsOf(plain.inputs)[0];
      const search = createWordSearch({
        nextLogits(more) {
          const decoderIds = [start, ...before, ...more];
          const { logits } = model.run(
            { ids, decoderIds },
            { edits: reached(edits, decoderIds.length) },
          );
          return logits.data.slice(-logits.dims[1]);
        },
        startsWord: (more) => sentences.startsWord([...before, ...more]),
        spell: (more) => sentences.decode(more).trim(),
      });
      const wanted = search.likeliest(5);
      for (const [n, { text, probability }] of wanted.entries()) {
        assert.equal(words[n].special ? '' : words[n].text, text.replace('</s>', ''));
        assert.ok(Math.abs(words[n].probability - probability) < 1e-5, text);
      }
    });
  }

  it('change the encoder alone in encode()', () => {
    const edits = [...lists['the encoder'], ...ablate(0, allHeads.slice(1), { stack: 'encoder' })];
    const { source, output, attention } = translator.encode(sentence, { edits });
    const want = model.run({ ids: idsOf(source), decoderIds: [1] }, { edits, attentions: true });
    assert.equal(explainBitDifference(output, want.encoderHidden), '');
    want.attentions.encoder.forEach((tensor, n) => {
      assert.equal(explainBitDifference(attention.encoder[n], tensor), '');
    });
    assert.deepEqual(
      translator.encode(sentence, { edits: ablate(0, 1) }),
      translator.encode(sentence, { edits: ablate(0, 1, { stack: 'encoder' }) }),
    );
  });

  it('are in the vectors', async () => {
    const { MultiHeadAttention } = await loadAttention();
    const edits = ['encoder', 'decoder'].map((stack) => ({
      ...{ at: 'resid_pre', layer: 1, stack },
      to: { add: vector },
    }));
    edits.push({ at: 'attn_out', layer: 1, stack: 'decoder', to: { scale: 0.5 } });
    const { vectors } = translator.translate(sentence, {
      target: plain.text,
      edits,
      vectors: true,
    });
    for (const [part, prefix] of [
      ['encoder', 'encoder.layers.1.self_attn.'],
      ['decoder', 'decoder.layers.1.self_attn.'],
      ['cross', 'decoder.layers.1.multihead_attn.'],
    ]) {
      const layer = MultiHeadAttention.fromTorch(translator.tensors, { heads, prefix });
      const { x, context, query, key, value } = vectors[part][1];
      const projected = layer.project(x, context);
      layer.delete();
      for (const [name, tensor] of Object.entries({ query, key, value })) {
        assert.equal(explainDifference(tensor, projected[name], 1e-5), '', `${part} ${name}`);
      }
    }
  });

  it('are refused where they do not fit', () => {
    const edit = { at: 'z', layer: 0, stack: 'encoder', to: 'zero' };
    for (const [method, wrong, message] of [
      ['encode', { ...edit, stack: 'cross' }, /^RangeError: edits\[0\]\.stack must be 'encoder'/],
      ['encode', { ...edit, query: 99 }, /^RangeError: edits\[0\]\.query has 99/],
      ['translate', { ...edit, stack: undefined }, /^RangeError: edits\[0\]\.stack must be/],
      ['translate', { ...edit, heads: 1 }, /^TypeError: edits\[0\] in translate\(\) has no field/],
      ['translate', { ...edit, query: 99 }, /^RangeError: edits\[0\]\.query has 99/],
      ['nextWords', { ...edit, layer: 99 }, /^RangeError: edits\[0\]\.layer has 99/],
      ['steps', { ...edit, head: 99 }, /^RangeError: edits\[0\]\.head has 99/],
    ]) {
      assert.throws(() => translator[method](sentence, { edits: [wrong] }), message);
    }
    assert.throws(() => translator.encode(sentence, { edits: edit }), /^TypeError: edits must be/);
  });

  it('that are an empty list change nothing', () => {
    assert.deepEqual(translator.translate(sentence, { edits: [] }), plain);
  });
});
