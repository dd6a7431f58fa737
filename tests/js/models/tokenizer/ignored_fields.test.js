// attention-wasm/models: fields of tokenizer.json: those without effect stand in one table, all others are checked.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ignoredFields } from '../../../../web/lib/models/tokenizer/ignored_fields.js';
import { TextTokens } from '../../../../web/lib/models/tokenizer/text_tokens.js';

const bytes = { type: 'ByteLevel' };
const cls = ['a', 1];
const components = {
  'tokenizer.json': {},
  'model BPE': {},
  'pre_tokenizer ByteLevel': { pre_tokenizer: bytes },
  'pre_tokenizer Metaspace': { pre_tokenizer: { type: 'Metaspace', replacement: '_' } },
  'post_processor ByteLevel': { post_processor: bytes },
  'post_processor RobertaProcessing': {
    post_processor: { type: 'RobertaProcessing', cls, sep: cls },
  },
  'decoder ByteLevel': { decoder: bytes },
  'decoder Metaspace': { decoder: { type: 'Metaspace', replacement: '_' } },
};
const values = {
  version: ['1.0'],
  truncation: [null, { max_length: 1, strategy: 'LongestFirst', stride: 0, direction: 'Right' }],
  padding: [null, { strategy: { Fixed: 9 }, direction: 'Left', pad_id: 0, pad_type_id: 0 }],
  dropout: [null, 0],
  str_rep: ['_'],
};
const tokens = ['?', 'a', 'b', 'ab', 'Ġ', '_'];
const model = {
  ...{ type: 'BPE', unk_token: '?', merges: ['a b'] },
  vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
};

/** The description of a component with more fields in it. */
function described(component, fields) {
  const [kind, type] = component.split(' ');
  const parts = components[component];
  if (type === undefined) return { model, ...fields };
  if (kind === 'model') return { model: { ...model, ...fields } };
  return { model, [kind]: { ...parts[kind], ...fields } };
}

function results(description) {
  const made = new TextTokens(description);
  const { ids, spans, typeIds } = made.encode('ab b', 'a');
  return { ids, spans, typeIds, text: made.decode(ids) };
}

describe('ignored fields', () => {
  it('are those of the table, of components that exist', () => {
    const names = Object.entries(ignoredFields).map(([component, fields]) => [
      component,
      fields.map(([name]) => name).join(' '),
    ]);
    assert.deepEqual(Object.fromEntries(names), {
      'tokenizer.json': 'version truncation padding',
      'model BPE': 'dropout',
      'pre_tokenizer ByteLevel': 'trim_offsets',
      'post_processor ByteLevel': 'trim_offsets add_prefix_space use_regex',
      'post_processor RobertaProcessing': 'trim_offsets add_prefix_space',
      'decoder ByteLevel': 'add_prefix_space trim_offsets use_regex',
      'pre_tokenizer Metaspace': 'str_rep',
      'decoder Metaspace': 'str_rep split',
    });
    for (const fields of Object.values(ignoredFields)) {
      for (const [name, , reason] of fields) assert.ok(reason.length > 10, name);
    }
  });

  for (const [component, fields] of Object.entries(ignoredFields)) {
    for (const [name] of fields) {
      it(`have no effect: ${name} of ${component}`, () => {
        const expected = results(described(component, {}));
        for (const value of values[name] ?? [true, false]) {
          assert.deepEqual(results(described(component, { [name]: value })), expected);
        }
      });
    }
  }

  it('are refused with a value that would have one', () => {
    for (const [component, fields, sentence] of [
      ['model BPE', { dropout: 0.1 }, "'dropout' of model BPE must be null or 0, found 0.1"],
      [
        'tokenizer.json',
        { version: '2.0' },
        "'version' of the description must be '1.0', found '2.0'",
      ],
    ]) {
      assert.throws(() => results(described(component, fields)), {
        name: 'RangeError',
        message: `tokenizer.json cannot be used: ${sentence}`,
      });
    }
  });
});

describe('other fields', () => {
  const split = { type: 'Split', pattern: { String: 'a' }, behavior: 'Isolated' };
  for (const [what, description, sentence] of [
    [
      'of no component',
      { normalizer: { type: 'NFC', form: 1 } },
      "normalizer NFC has the unknown field 'form' with value 1; expected none",
    ],
    [
      'of the description',
      { encoder: null },
      "the description has the unknown field 'encoder' with value null",
    ],
    [
      'of the model',
      { model: { ...model, bos: 1 } },
      "model BPE has the unknown field 'bos' with value 1",
    ],
    [
      'with a wrong value',
      { pre_tokenizer: { ...split, behavior: 'Both' } },
      "'behavior' of pre_tokenizer Split must be 'Removed' or 'Isolated' or 'MergedWithPrevious' or 'MergedWithNext' or 'Contiguous', found 'Both'",
    ],
    [
      'with a wrong kind',
      { pre_tokenizer: { ...split, invert: 1 } },
      "'invert' of pre_tokenizer Split must be true or false, found 1",
    ],
    [
      'with a pattern of two kinds',
      { pre_tokenizer: { ...split, pattern: { String: 'a', Regex: 'a' } } },
      "'pattern' of pre_tokenizer Split must be { String } or { Regex }, found an object",
    ],
    [
      'that are missing',
      { pre_tokenizer: { type: 'Split', pattern: { String: 'a' } } },
      "pre_tokenizer Split has no field 'behavior'",
    ],
    [
      'of a nested step',
      {
        decoder: {
          type: 'Sequence',
          decoders: [{ type: 'Strip', content: 'ab', start: 0, stop: 0 }],
        },
      },
      "'content' of decoder Strip must be one character, found 'ab'",
    ],
    [
      'that name no component',
      { decoder: { type: 'Undo' } },
      "decoder has the unknown type 'Undo'",
    ],
    [
      'of a template',
      {
        post_processor: {
          type: 'TemplateProcessing',
          single: [{ Sequence: { id: 'C' } }],
          pair: [],
          special_tokens: {},
        },
      },
      "'id' of 'single' of post_processor TemplateProcessing[0] must be 'A' or 'B', found 'C'",
    ],
    [
      'of a template without its token',
      {
        post_processor: {
          type: 'TemplateProcessing',
          single: [{ SpecialToken: { id: 'X' } }],
          pair: [],
          special_tokens: {},
        },
      },
      "single of TemplateProcessing has the token 'X', which special_tokens has not",
    ],
    [
      'of Metaspace that contradict each other',
      {
        decoder: {
          type: 'Metaspace',
          replacement: '_',
          prepend_scheme: 'first',
          add_prefix_space: false,
        },
      },
      "Metaspace has add_prefix_space false, but prepend_scheme 'first'",
    ],
    [
      'of a map that is none',
      { normalizer: { type: 'Precompiled', precompiled_charsmap: 'AAAA' } },
      'precompiled_charsmap has 3 bytes, which is too short for its trie',
    ],
    [
      'of an added token',
      { added_tokens: [{ id: 1, content: 'x', special: 1 }] },
      "'special' of added_tokens[0] must be true or false, found 1",
    ],
  ]) {
    it(`are refused by name: ${what}`, () => {
      assert.throws(
        () => results({ model, ...description }),
        (error) => {
          assert.equal(error.name, 'RangeError');
          const message = error.message.replace('tokenizer.json cannot be used: ', '');
          assert.equal(message.slice(0, sentence.length), sentence);
          return true;
        },
      );
    });
  }
});
