// attention-wasm/models: pairs of texts on every family that reads one, with each kind of post-processor. The ids and types
// are those that the Rust library gives for these descriptions.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { cases } from '../../../support/js/models_with_tokens.js';
import { seededWeights } from '../../../support/js/seeded_weights.js';

const vocab = Object.fromEntries(
  ['<s>', '<pad>', '</s>', '?', 'a', 'b', 'c'].map((t, id) => [t, id]),
);
const [cls, sep] = [
  ['<s>', 0],
  ['</s>', 2],
];
const item = (id, type_id) =>
  id.length === 1 ? { Sequence: { id, type_id } } : { SpecialToken: { id, type_id } };
const template = {
  type: 'TemplateProcessing',
  single: [item('<s>', 0), item('A', 0), item('</s>', 0)],
  pair: [item('<s>', 0), item('A', 0), item('</s>', 0), item('B', 1), item('</s>', 1)],
  special_tokens: Object.fromEntries(
    [cls, sep].map(([id, n]) => [id, { id, ids: [n], tokens: [id] }]),
  ),
};
const bytes = { type: 'ByteLevel', add_prefix_space: true, trim_offsets: false, use_regex: true };
const roberta = {
  type: 'RobertaProcessing',
  cls,
  sep,
  trim_offsets: true,
  add_prefix_space: false,
};

// Post-processors, and the ids and token types that they make of the pair 'a', 'b c'.
const processors = {
  none: [null, [4, 5, 6], [0, 1, 1]],
  ByteLevel: [bytes, [4, 5, 6], [0, 1, 1]],
  BertProcessing: [{ type: 'BertProcessing', cls, sep }, [0, 4, 2, 5, 6, 2], [0, 0, 0, 1, 1, 1]],
  RobertaProcessing: [roberta, [0, 4, 2, 2, 5, 6, 2], [0, 0, 0, 0, 0, 0, 0]],
  TemplateProcessing: [template, [0, 4, 2, 5, 6, 2], [0, 0, 0, 1, 1, 1]],
  Sequence: [
    { type: 'Sequence', processors: [template, { type: 'Sequence', processors: [bytes] }] },
    [0, 4, 2, 5, 6, 2],
    [0, 0, 0, 1, 1, 1],
  ],
};
const tokenizer = (post_processor) => ({
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor,
  model: { type: 'WordLevel', vocab, unk_token: '?' },
});

async function withModel(name, post_processor, use) {
  const { config } = cases[name];
  const weights = seededWeights(cases[name]);
  const model = await loadModel({ config, weights, tokenizer: tokenizer(post_processor) });
  try {
    return await use(model);
  } finally {
    model.delete();
  }
}

describe('pairs of texts', () => {
  for (const [name, types] of [
    ['bert, masked words', 2],
    ['electra, classes', 2],
    ['albert', 2],
    ['roberta, masked words', 1],
    ['xlm-roberta, classes', 1],
    ['distilbert, classes', 0],
    ['bart, classes', 0],
    ['t5', 0],
    ['llama', 0],
    ['gpt2', 0],
  ]) {
    it(`run with every post-processor: ${name}`, async () => {
      for (const [post, ids, typeIds] of Object.values(processors)) {
        await withModel(name, post, (model) => {
          assert.deepEqual(model.tokenizer.encode('a', 'b c').typeIds, typeIds);
          const found = model.run(['a', 'b c']);
          assert.deepEqual(found.ids, ids);
          assert.equal(found.spans.length, ids.length);
          // The types that the model has count; without them, all are 0.
          const own = typeIds.every((type) => type < types) ? { ids, typeIds } : { ids };
          const expected = model.run(own);
          const of = ({ hidden, encoder, logits }) => hidden ?? encoder?.hidden ?? logits;
          assert.ok(of(found).data.length > 0);
          assert.deepEqual(of(found), of(expected));
        });
      }
    });
  }

  it('may have an empty second text', async () => {
    await withModel('roberta, masked words', roberta, (model) => {
      const { ids, parts, spans } = model.run(['a', '']);
      assert.deepEqual(ids, [0, 4, 2, 2, 2]);
      assert.deepEqual(parts, [0, 0, 0, 0, 1]);
      assert.deepEqual(spans, [
        [0, 0],
        [0, 1],
        [1, 1],
        [1, 1],
        [0, 0],
      ]);
    });
  });

  it('of types that the caller gives are refused where the model has none', async () => {
    for (const [name, count] of [
      ['roberta, masked words', '1'],
      ['distilbert, classes', 'no'],
    ]) {
      await withModel(name, null, (model) => {
        assert.throws(() => model.run({ ids: [4, 5], typeIds: [0, 1] }), {
          name: 'RangeError',
          message: `typeIds[1] is 1, but the model has ${count} token types`,
        });
      });
    }
  });
});
