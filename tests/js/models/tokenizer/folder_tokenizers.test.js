// Tokenizers of folders beside the model's own: ids behind the last row of the embedding, folders without a tokenizer, and
// two files that contradict each other.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { cases } from '../../../support/js/models_with_tokens.js';
import { seededWeights } from '../../../support/js/seeded_weights.js';

const rowsOf = ({ config }) => config.vocab_size;
const ownSource = (name) => ({ config: cases[name].config, weights: seededWeights(cases[name]) });

/** A folder of a tiny model with these files: texts or JSON. */
function folderOf(name, files) {
  const { config, weights } = ownSource(name);
  const all = { 'config.json': config, 'model.safetensors': writeSafetensors(weights), ...files };
  const contentOf = (path) => {
    const content = all[path];
    const isRaw =
      content === undefined || typeof content === 'string' || ArrayBuffer.isView(content);
    return isRaw ? content : JSON.stringify(content);
  };
  return {
    location: 'x',
    text: async (path) => contentOf(path),
    bytes: async (path) => (path in all ? new Blob([contentOf(path)]) : undefined),
  };
}

/** A tokenizer.json with a token for each row, then <img>. */
function tokenizerOf(rows, more) {
  const words = ['?', 'a', 'b', ...Array.from({ length: rows - 3 }, (_, n) => `w${n}`)];
  return {
    added_tokens: [{ id: rows, content: '<img>', special: true }],
    pre_tokenizer: { type: 'WhitespaceSplit' },
    model: {
      ...{ type: 'WordLevel', unk_token: '?' },
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
    ...more,
  };
}

const all = async (steps) => {
  const found = [];
  for await (const step of steps) found.push(step);
  return found;
};

describe('a token behind the last row of the embedding', () => {
  for (const name of ['gemma3_text', 'bert, masked words', 't5']) {
    it(`is an error where it is used: ${name}`, async () => {
      const source = ownSource(name);
      const rows = rowsOf(source);
      const model = await loadModel({ ...source, tokenizer: tokenizerOf(rows) });
      try {
        assert.deepEqual([model.tokenizer.size, model.vocabularySize], [rows + 1, rows]);
        assert.equal(model.run('a b').tokens[0], 'a');
        const refuse = (use, place) =>
          assert.throws(use, {
            name: 'RangeError',
            message: `ids[${place}] is ${rows}, the token '<img>', but the embedding of the model has ${rows} rows`,
          });
        refuse(() => model.run('a <img>'), 1);
        refuse(() => model.run(['a', '<img>']), 1);
        refuse(() => model.run({ ids: [rows, 1] }), 0);
        assert.throws(() => model.run({ ids: [rows + 1] }), {
          message: `ids[0] is ${rows + 1}, but the embedding of the model has ${rows} rows`,
        });
        if (!model.canGenerate) return;
        const message = /the token '<img>', but the embedding/;
        await assert.rejects(all(model.generate('<img>', { maxTokens: 1 })), { message });
        if (name !== 't5') return;
        refuse(() => model.run('a', { decoder: '<img>' }), 1);
        refuse(() => model.run({ ids: [1], decoderIds: [rows] }), 0);
        await assert.rejects(all(model.generate('a', { decoder: '<img>' })), { message });
      } finally {
        model.delete();
      }
    });
  }

  it('may be a special token of the template', async () => {
    const source = ownSource('bert, masked words');
    const rows = rowsOf(source);
    const cls = ['<img>', rows];
    const more = { post_processor: { type: 'BertProcessing', cls, sep: cls } };
    const model = await loadModel({ ...source, tokenizer: tokenizerOf(rows, more) });
    assert.throws(() => model.run('a'), /^RangeError: ids\[0\] is \d+, the token '<img>', but/);
    model.delete();
  });
});

describe('a folder without a tokenizer that is read', () => {
  for (const [what, files, missing] of [
    ['no files', {}, /tokenizer\.json is missing, and so is vocab\.txt of BertTokenizer/],
    [
      'another class',
      { 'vocab.txt': 'a', 'tokenizer_config.json': { tokenizer_class: 'MyTokenizer' } },
      /tokenizer\.json is missing; without one, the tokenizer_class 'MyTokenizer' is not read/,
    ],
  ]) {
    it(`takes ids, with a warning: ${what}`, async () => {
      const model = await loadModel(folderOf('bert, masked words', files));
      try {
        assert.equal(model.tokenizer, undefined);
        assert.equal(model.warnings.length, 1);
        assert.match(model.warnings[0], missing);
        assert.deepEqual(model.run({ ids: [1, 2] }).ids, [1, 2]);
        assert.throws(() => model.run('a'), { name: 'TypeError', message: missing });
        assert.throws(
          () => model.run('a'),
          /has no tokenizer .*: pass \{ ids \} instead of a text/,
        );
      } finally {
        model.delete();
      }
    });
  }

  it('is no warning for config and weights alone, nor for a folder in order', async () => {
    const source = ownSource('bert, masked words');
    const tokenizer = tokenizerOf(rowsOf(source));
    for (const one of [
      source,
      { ...source, tokenizer },
      folderOf('bert, masked words', { 'tokenizer.json': tokenizer }),
    ]) {
      const model = await loadModel(one);
      model.delete();
      assert.deepEqual(model.warnings, []);
    }
  });

  it('is an error if its tokenizer cannot be read', async () => {
    for (const files of [
      { 'tokenizer.json': { model: { type: 'Other' } } },
      { 'tokenizer.json': '{' },
      { 'vocab.txt': '[UNK]', 'added_tokens.json': { '<e>': -1 } },
    ]) {
      await assert.rejects(loadModel(folderOf('bert, masked words', files)), {
        name: /^(Range|Type|Syntax)?Error$/,
      });
    }
  });
});

// The template of tokenizer.json is valid, as in transformers 5; transformers 4 changes it by tokenizer_config.json.
describe('tokenizer_config.json against tokenizer.json', () => {
  const token = (id) => ({ SpecialToken: { id, type_id: 0 } });
  const text = (id) => ({ Sequence: { id, type_id: 0 } });
  const start = {
    type: 'TemplateProcessing',
    single: [token('b'), text('A')],
    pair: [token('b'), text('A'), token('b'), text('B')],
    special_tokens: { b: { id: 'b', ids: [2], tokens: ['b'] } },
  };
  const ends = { bos_token: 'b', eos_token: { content: '?' } };
  const bert = (more) => ({ normalizer: { type: 'BertNormalizer', lowercase: true, ...more } });

  for (const [what, config, more, ...warnings] of [
    ['nothing asked', { ...ends }, { post_processor: start }],
    ['the same', { ...ends, add_bos_token: true, add_eos_token: false }, { post_processor: start }],
    [
      'an end that the template has not',
      { ...ends, add_bos_token: true, add_eos_token: true },
      { post_processor: start },
      /^add_eos_token of tokenizer_config\.json is true, but the template of tokenizer\.json has no token '\?' at the end/,
    ],
    [
      'no start, which the template has',
      { ...ends, add_bos_token: false },
      { post_processor: start },
      /^add_bos_token of tokenizer_config\.json is false, but the template of tokenizer\.json has a token 'b' at the start/,
    ],
    [
      'both without a template',
      { ...ends, add_bos_token: true, add_eos_token: true },
      {},
      /^add_bos_token/,
      /^add_eos_token/,
    ],
    ['the same normalizer', { do_lower_case: true }, bert()],
    [
      'another normalizer',
      { do_lower_case: false, strip_accents: true, tokenize_chinese_chars: true },
      bert({ strip_accents: null, handle_chinese_chars: true }),
      /^do_lower_case of tokenizer_config\.json is false, but 'lowercase' of the normalizer of tokenizer\.json is true/,
      /^strip_accents .* is null/,
    ],
    ['another kind of normalizer', { do_lower_case: true }, { normalizer: { type: 'NFC' } }],
  ]) {
    it(`is a warning that names both: ${what}`, async () => {
      const tokenizer = tokenizerOf(rowsOf(ownSource('llama')), more);
      const files = { 'tokenizer.json': tokenizer, 'tokenizer_config.json': config };
      const model = await loadModel(folderOf('llama', files));
      model.delete();
      assert.equal(model.warnings.length, warnings.length, model.warnings.join('\n'));
      warnings.forEach((one, n) => assert.match(model.warnings[n], one));
      if (more.post_processor) assert.deepEqual(model.tokenizer.encode('a').tokens, ['b', 'a']);
    });
  }
});
