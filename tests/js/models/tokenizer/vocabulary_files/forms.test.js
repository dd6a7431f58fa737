// Folders without tokenizer.json: the class of the tokenizer decides the form of vocab.json with merges.txt and of a
// SentencePiece model. Forms, ids and templates are those that transformers documents for each class.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readTokenizer } from '../../../../../web/lib/models/tokenizer/read_tokenizer.js';

import { chosenFiles } from '../../../../../web/lib/models/sources/chosen_files.js';
import { readJson } from '../../../../../web/lib/models/sources/file_text.js';

const vectors = new URL('../../../../vectors/sentence_pieces.json', import.meta.url);
const { texts, cases } = JSON.parse(readFileSync(vectors, 'utf8'));
const unigram = Buffer.from(cases[0].model, 'base64');
const spm = cases[0].ids.map((ids) => (ids === '' ? [] : ids.split(' ').map(Number)));
const size = 140;

/** What is read of a folder with these files: text, bytes or JSON by name. */
async function read(files, config = { model_type: 'none' }) {
  const list = Object.entries(files).map(([name, content]) => {
    const isRaw = typeof content === 'string' || ArrayBuffer.isView(content);
    return new File([isRaw ? content : JSON.stringify(content)], name);
  });
  const folder = chosenFiles([...list, new File(['{}'], 'config.json')]);
  const json = (name) => readJson(folder, name, { optional: true });
  return readTokenizer({ ...folder, config, json, isFolder: true, warnings: [] });
}

const open = async (files, config) => (await read(files, config)).tokenizer;

const refuses = (files, message, config) =>
  assert.rejects(open(files, config), { name: 'RangeError', message });

/** The vocabulary of a byte-level BPE with some merges and special tokens. */
function bytePairs(special, ...merges) {
  const characters = [..."abcdeĠĊ'st12ABé,Ã©"];
  const tokens = [...special, ...new Set(characters), ...merges.map((pair) => pair.join(''))];
  return {
    'vocab.json': Object.fromEntries(tokens.map((token, id) => [token, id])),
    'merges.txt': `#version: 0.2\n${merges.map((pair) => pair.join(' ')).join('\n')}\n`,
  };
}
const merges = [
  ['a', 'b'],
  ['Ġ', 'ab'],
  ['1', '2'],
];
const gpt2 = bytePairs(['<|endoftext|>'], ...merges);
const roberta = bytePairs(['<s>', '<pad>', '</s>', '<unk>', '<mask>'], ...merges);
const named = (name, more) => ({ 'tokenizer_config.json': { tokenizer_class: name, ...more } });
const tokensOf = (tokenizer, ...input) => tokenizer.encode(...input).tokens;

describe('vocab.json and merges.txt', () => {
  it('become the words and templates of the class', async () => {
    const end = '<|endoftext|>';
    for (const [files, text, expected] of [
      [{ ...gpt2, ...named('GPT2TokenizerFast') }, 'ab ab', ['ab', 'Ġab']],
      [
        { ...gpt2, ...named('GPT2Tokenizer', { add_bos_token: true, add_prefix_space: true }) },
        'ab',
        [end, 'Ġab'],
      ],
      [{ ...gpt2, ...named('CodeGenTokenizer') }, `ab${end} ab`, ['ab', end, 'Ġab']],
      [{ ...roberta, ...named('RobertaTokenizer') }, 'ab', ['<s>', 'ab', '</s>']],
      [{ ...roberta, ...named('BartTokenizer') }, 'ab <mask>', ['<s>', 'ab', '<mask>', '</s>']],
      [{ ...gpt2, ...named('GPT2Tokenizer') }, '12', ['12']],
      [{ ...gpt2, ...named('Qwen2Tokenizer') }, '12 e\u0301', ['1', '2', 'Ġ', 'Ã', '©']],
    ]) {
      assert.deepEqual(tokensOf(await open(files), text), expected);
    }
    const pairs = await open({ ...roberta, ...named('RobertaTokenizer') });
    assert.deepEqual(
      pairs.encode('ab', 'a').ids.map((id) => pairs.tokenOf(id)),
      [...['<s>', 'ab', '</s>', '</s>', 'a', '</s>']],
    );
    assert.equal(pairs.decode(pairs.encode('ab é').ids), 'ab é');
  });

  it('have the class of the model type where no file names one', async () => {
    for (const [type, files, tokens] of [
      ['gpt2', gpt2, ['ab']],
      ['roberta', roberta, ['<s>', 'ab', '</s>']],
    ]) {
      assert.deepEqual(tokensOf(await open(files, { model_type: type }), 'ab'), tokens);
    }
  });

  it('have special tokens of three more files', async () => {
    const tokenizer = await open({
      ...gpt2,
      ...named('GPT2Tokenizer', { add_bos_token: true }),
      'special_tokens_map.json': { bos_token: { content: '<bos>' }, pad_token: '<p>' },
      'added_tokens.json': { '<bos>': 50, '<p>': 51, '<extra>': 52 },
    });
    assert.deepEqual(tokenizer.encode('a<p>a<extra>').ids, [50, 1, 51, 1, 52]);
    assert.equal(tokenizer.decode([50, 1, 51, 52]), 'a<extra>');
  });

  it('are refused with a sentence', async () => {
    const bart = named('BartTokenizer');
    await refuses({ ...roberta, ...bart, 'merges.txt': 'a b c' }, /line 1 of merges\.txt must be/);
    await refuses(
      { ...roberta, ...bart, 'merges.txt': 'a z' },
      /^vocab\.json cannot be used: .* token 'az', which vocab has not/,
    );
    await refuses({ ...roberta, ...bart, 'vocab.json': [] }, /vocab\.json must be an object/);
  });
});

describe('a folder without a tokenizer that is read', () => {
  it('says what is missing', async () => {
    for (const [files, config, missing] of [
      [{}, {}, /^tokenizer\.json is missing, and no file names a tokenizer_class$/],
      [
        {},
        { model_type: 'bert' },
        /^tokenizer\.json is missing, and so is vocab\.txt of BertTokenizer$/,
      ],
      [gpt2, { model_type: 'gpt_neox' }, /no file names a tokenizer_class$/],
      [
        { 'vocab.json': {} },
        { model_type: 'gpt2' },
        /and so is vocab\.json or merges\.txt of GPT2Tokenizer$/,
      ],
      [{}, { model_type: 't5' }, /and so is spiece\.model of T5Tokenizer$/],
      [
        { ...gpt2, ...named('PhobertTokenizer') },
        {},
        /'PhobertTokenizer' is not read, but these: BertTokenizer, .*T5Tokenizer/,
      ],
      [
        { 'vocab.json': {}, 'sentencepiece.bpe.model': unigram, ...named('M2M100Tokenizer') },
        {},
        /'M2M100Tokenizer' is not read/,
      ],
    ]) {
      const { tokenizer, missing: found } = await read(files, config);
      assert.equal(tokenizer, undefined);
      assert.match(found, missing);
    }
  });
});

// Expectations are what transformers' Python classes do: added_tokens_decoder, special_tokens_map.json and added_tokens.json
// have ids of more tokens, and special tokens without an id get the next ones (tokenization_utils.py).
describe('special and added tokens of each form', () => {
  const bert = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'the', 'cat', '<', 'e', '>'];
  const forms = {
    'vocab.txt': [{ 'vocab.txt': bert.join('\n') }, 'BertTokenizer', 10, 'the'],
    'vocab.txt of ESM': [
      { 'vocab.txt': '<cls>\n<pad>\n<eos>\n<unk>\nM\nK\n<mask>' },
      'EsmTokenizer',
      7,
      'M',
    ],
    'vocab.json': [gpt2, 'GPT2Tokenizer', Object.keys(gpt2['vocab.json']).length, 'ab'],
    SentencePiece: [{ 'tokenizer.model': unigram }, 'LlamaTokenizer', size, 'the'],
  };
  const additional = ['<a>', { content: '<b>', lstrip: true }];

  for (const [form, [files, name, next, word]] of Object.entries(forms)) {
    const between = (tokenizer, text) =>
      tokenizer
        .encodePlain(text)
        .filter((id) => id >= next)
        .map((id) => [id, tokenizer.tokenOf(id)]);

    it(`${form}: have the ids of added_tokens.json`, async () => {
      const added = { 'added_tokens.json': { '<e>': next, '<f>': next + 3 } };
      const tokenizer = await open({ ...files, ...added, ...named(name) });
      assert.deepEqual(between(tokenizer, `${word} <f><e> ${word}`), [
        [next + 3, '<f>'],
        [next, '<e>'],
      ]);
    });

    it(`${form}: have the ids and flags of added_tokens_decoder`, async () => {
      const token = { content: '<e>', single_word: true, special: true };
      const config = { pad_token: '<e>', added_tokens_decoder: { [next + 1]: token } };
      const tokenizer = await open({ ...files, ...named(name, config) });
      assert.deepEqual(between(tokenizer, `${word} <e>`), [[next + 1, '<e>']]);
      assert.deepEqual(between(tokenizer, `${word} <e>${word}`), []);
      assert.equal(tokenizer.specialIdOf('<e>'), next + 1);
    });

    it(`${form}: get the next ids where no file has one, in Python's order`, async () => {
      const map = { mask_token: '<m>', additional_special_tokens: additional, sep_token: '<s2>' };
      const tokenizer = await open({
        ...files,
        'special_tokens_map.json': map,
        ...named(name, {
          bos_token: '<start>',
          added_tokens_decoder: { [next]: { content: '<x>' } },
        }),
      });
      assert.deepEqual(
        between(tokenizer, '<b><a><m><s2><start><x>').map(([, text]) => text),
        [...['<b>', '<a>', '<m>', '<s2>', '<start>', '<x>']],
      );
      const idOf = (text) => tokenizer.encodePlain(text).at(-1);
      const order = ['<start>', '<s2>', '<m>', '<a>', '<b>'].map(idOf);
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
      );
      assert.equal(idOf('<x>'), next);
      assert.equal(order[0], next + 1);
      assert.equal(tokenizer.decode(order), '');
    });

    it(`${form}: have the id of the vocabulary, whatever a file says`, async () => {
      const { tokens, ids, spans } = (await open({ ...files, ...named(name) })).encode(word);
      const known = spans.findIndex(([start, end]) => start < end);
      const config = { added_tokens_decoder: { 0: { content: tokens[known], special: true } } };
      const added = { 'added_tokens.json': { [tokens[known]]: next + 9 } };
      const tokenizer = await open({ ...files, ...added, ...named(name, config) });
      assert.equal(tokenizer.specialIdOf(tokens[known]), ids[known]);
    });
  }

  it('keep the flags of the class where a file has the text only', async () => {
    const tokenizer = await open({
      ...roberta,
      ...named('RobertaTokenizer', { mask_token: '<mask>' }),
    });
    assert.deepEqual(tokensOf(tokenizer, 'ab <mask>'), ['<s>', 'ab', '<mask>', '</s>']);
  });

  it('of BERT stand in its template from any of the files', async () => {
    const vocabulary = bert.map((text) => text.replace('[', '<').replace(']', '>')).join('\n');
    const map = {
      ...{ cls_token: '<CLS>', sep_token: '<SEP>', unk_token: '<UNK>' },
      ...{ pad_token: '<PAD>', mask_token: '<MASK>' },
    };
    const tokenizer = await open({
      'vocab.txt': vocabulary,
      'special_tokens_map.json': map,
      ...named('BertTokenizer'),
    });
    assert.deepEqual(tokenizer.encode('the dog').ids, [2, 5, 1, 3]);
    assert.equal(tokenizer.size, 10);
  });

  it('of a template have the id of the vocabulary, whatever a file says', async () => {
    const added = { 'added_tokens.json': { '[CLS]': 99 } };
    const tokenizer = await open({ ...forms['vocab.txt'][0], ...added, ...named('BertTokenizer') });
    assert.deepEqual(tokenizer.encode('the').ids, [2, 5, 3]);
  });

  it('of BERT are appended where vocab.txt has none', async () => {
    const tokenizer = await open({ 'vocab.txt': 'the\ncat\n', ...named('BertTokenizer') });
    assert.deepEqual(tokenizer.encode('the dog').ids, [5, 0, 2, 3]); // [UNK] 2, [SEP] 3, [PAD] 4, [CLS] 5
    assert.equal(tokenizer.encode('[MASK]').ids[1], 6);
  });

  it('of DeBERTa v3: [MASK] is behind the pieces', async () => {
    const tokenizer = await open({
      'spm.model': unigram,
      ...named('DebertaV2Tokenizer', { do_lower_case: false, vocab_type: 'spm' }),
    });
    const { tokens } = tokenizer.encode('the [MASK] on');
    assert.equal(tokens.filter((text) => text === '[MASK]').length, 1);
    assert.ok(!tokens.includes('[UNK]'));
  });
});

// tokenization_esm.py: all tokens of vocab.txt are found in the text, the rest is split at white space and unknown;
// <cls> text <eos>, and for pairs <cls> first <eos> second <eos>.
describe('vocab.txt of ESM', () => {
  const residues = [...'LAGVSERTIDPKQNFYMHWCXBUZO.-', '<null_1>', '<mask>'];
  const files = {
    'vocab.txt': ['<cls>', '<pad>', '<eos>', '<unk>', ...residues].join('\n'),
    ...named('EsmTokenizer'),
  };
  // The ids of this vocabulary, which is that of facebook/esm2_t6_8M_UR50D.
  for (const [text, ids] of [
    ['MK', [0, 20, 15, 2]],
    ['M K', [0, 20, 15, 2]],
    ['M<mask>K', [0, 20, 32, 15, 2]],
    ['M <mask> K', [0, 20, 32, 15, 2]],
    ['MJJK', [0, 20, 3, 15, 2]],
    ['J J', [0, 3, 3, 2]],
    ['m.-<null_1>', [0, 3, 29, 30, 31, 2]],
    ['<cls>', [0, 0, 2]],
    ['', [0, 2]],
  ]) {
    it(`reads '${text}'`, async () => {
      assert.deepEqual((await open(files)).encode(text).ids, ids);
    });
  }

  it('reads pairs, all of type 0, and joins tokens with spaces', async () => {
    const tokenizer = await open(files);
    const { ids, typeIds, spans } = tokenizer.encode('MK', 'K');
    assert.deepEqual(ids, [0, 20, 15, 2, 15, 2]);
    assert.ok(typeIds.every((type) => type === 0));
    assert.deepEqual(spans.slice(1, 3), [
      [0, 1],
      [1, 2],
    ]);
    assert.equal(tokenizer.decode(ids), 'M K K');
  });

  it('is the one of the model type, and has no end where eos_token is null', async () => {
    const { 'vocab.txt': vocabulary } = files;
    const own = await open({ 'vocab.txt': vocabulary }, { model_type: 'esm' });
    assert.deepEqual(own.encode('MK').ids, [0, 20, 15, 2]);
    const endless = await open({
      'vocab.txt': vocabulary,
      ...named('EsmTokenizer', { eos_token: null }),
    });
    assert.deepEqual(endless.encode('MK').ids, [0, 20, 15]);
  });
});

describe('a SentencePiece model', () => {
  const text = texts.find((one, n) => spm[n].length > 4 && !/[<▁]|CTRL|``|''/.test(one));
  const own = spm[texts.indexOf(text)];
  const shifted = own.map((id) => (id === 0 ? 3 : id + 1)); // of fairseq

  it('has the ids and the template of the class', async () => {
    const spiece = { 'spiece.model': unigram };
    const model = { 'tokenizer.model': unigram };
    const bpe = { 'sentencepiece.bpe.model': unigram };
    for (const [files, expected] of [
      [{ ...model, ...named('LlamaTokenizer') }, [1, ...own]],
      [{ ...model, ...named('LlamaTokenizer', { add_eos_token: true }) }, [1, ...own, 2]],
      [{ ...model, ...named('LlamaTokenizer', { add_bos_token: false }) }, own],
      [{ ...spiece, ...named('T5Tokenizer') }, [...own, 2]],
      [{ ...bpe, ...named('XLMRobertaTokenizerFast') }, [0, ...shifted, 2]],
      [
        { ...bpe, ...named('CamembertTokenizer') },
        [5, ...own.map((id) => (id === 0 ? 3 : id + 4)), 6],
      ],
      [{ ...bpe, ...named('MBartTokenizer') }, [...shifted, 2, size + 1 + 3]],
      [{ ...bpe, ...named('MBart50Tokenizer', { src_lang: 'sl_SI' }) }, [size + 52, ...shifted, 2]],
    ]) {
      const tokenizer = await open(files);
      assert.deepEqual(tokenizer.encode(text).ids, expected, JSON.stringify(files).slice(-80));
    }
  });

  it('of Pegasus has the ids from 105 on', async () => {
    const field = (number, bytes) => [number * 8 + 2, bytes.length, ...bytes];
    const piece = (text, type) => field(1, [...field(1, [...Buffer.from(text)]), 24, type]);
    const pieces = [
      piece('<pad>', 3),
      piece('</s>', 3),
      piece('<unk>', 2),
      piece('\u2581', 1),
      piece('a', 1),
    ];
    const tokenizer = await open({
      'spiece.model': Uint8Array.from(pieces.flat()),
      ...named('PegasusTokenizer'),
    });
    assert.deepEqual(tokenizer.encode('a é').ids, [106, 107, 106, 105, 1]);
    assert.equal(tokenizer.tokenOf(2), '<mask_1>');
    await refuses(
      { 'spiece.model': unigram, ...named('PegasusTokenizer') },
      /piece 105, '<\/s>', is there twice/,
    );
  });

  it('has templates of pairs, and the extra ids of T5', async () => {
    const pair = async (file, name) => {
      const tokenizer = await open({ [file]: unigram, ...named(name) });
      const { ids, typeIds } = tokenizer.encode('a', 'a');
      const middle = tokenizer.encodePlain('a');
      return [
        ids.map((id) => (middle.includes(id) ? 'a' : tokenizer.tokenOf(id))).join(' '),
        typeIds,
      ];
    };
    const [xlm, types] = await pair('sentencepiece.bpe.model', 'XLMRobertaTokenizer');
    assert.match(xlm, /^<s> (a )+<\/s> <\/s> (a )+<\/s>$/);
    assert.ok(types.every((type) => type === 0));
    const [llama, llamaTypes] = await pair('tokenizer.model', 'LlamaTokenizer');
    assert.match(llama, /^<s> (a )+<s> a( a)*$/);
    assert.equal(llamaTypes.at(-1), 1);
    const t5 = await open({ 'spiece.model': unigram, ...named('T5Tokenizer') });
    assert.equal(t5.size, size + 101); // with <pad>, which the model has not
    const extra = t5.encode('<extra_id_0><extra_id_99>').ids;
    assert.deepEqual(extra, [size + 99, size, 2]);
  });

  it('is refused with a sentence', async () => {
    const llama = named('LlamaTokenizer');
    await refuses(
      { 'tokenizer.model': unigram.subarray(0, 99), ...llama },
      /^tokenizer\.model cannot be used: (the file|piece \d+) has \d+ bytes after byte \d+/,
    );
    await refuses(
      { 'sentencepiece.bpe.model': unigram, ...named('MBartTokenizer', { src_lang: 'xx' }) },
      /'src_lang' of tokenizer_config\.json is 'xx', expected one of ar_AR/,
    );
    await refuses(
      { 'spiece.model': unigram, ...named('T5Tokenizer', { extra_ids: 1e9 }) },
      /'extra_ids' .* from 0 to 10000, found 1000000000/,
    );
    const huge = { size: 2 ** 27, slice: () => new Blob() };
    const folder = { text: async () => undefined, json: async () => undefined };
    const config = { model_type: 'llama' };
    const source = { ...folder, bytes: async () => huge, config, isFolder: true, warnings: [] };
    await assert.rejects(readTokenizer(source), /134217728 bytes; the limit is/);
  });
});
