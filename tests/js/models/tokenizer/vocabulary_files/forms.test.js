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

/** The tokenizer of a folder with these files: text, bytes or JSON by name. */
async function open(files, config = { model_type: 'none' }) {
  const list = Object.entries(files).map(([name, content]) => {
    const isRaw = typeof content === 'string' || ArrayBuffer.isView(content);
    return new File([isRaw ? content : JSON.stringify(content)], name);
  });
  const folder = chosenFiles([...list, new File(['{}'], 'config.json')]);
  const source = { ...folder, config, json: (name) => readJson(folder, name, { optional: true }) };
  return readTokenizer(source);
}

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
    assert.equal(await open(gpt2, { model_type: 'gpt_neox' }), undefined);
    assert.equal(await open({ 'vocab.json': {} }, { model_type: 'gpt2' }), undefined);
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
    await refuses({ ...gpt2, ...bart }, /no token '<s>', which is its 'cls_token'/);
    await refuses({ ...roberta, ...bart, 'merges.txt': 'a b c' }, /line 1 of merges\.txt must be/);
    await refuses(
      { ...roberta, ...bart, 'merges.txt': 'a z' },
      /^vocab\.json cannot be used: .* token 'az', which vocab has not/,
    );
    await refuses({ ...roberta, ...bart, 'vocab.json': [] }, /vocab\.json must be an object/);
    await refuses(
      { ...gpt2, ...named('PhobertTokenizer') },
      /merges\.txt is of the tokenizer_class 'PhobertTokenizer', .* BertTokenizer, .*T5Tokenizer/,
    );
    await refuses(
      { 'tokenizer.model': unigram, ...named('BaichuanTokenizer') },
      /tokenizer\.model is of the tokenizer_class 'BaichuanTokenizer'/,
    );
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
    assert.equal(t5.size, size + 100);
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
      { 'tokenizer.model': unigram, ...named('GemmaTokenizer') },
      /no token '<bos>', which is its 'bos_token'/,
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
    const source = { ...folder, bytes: async () => huge, config: { model_type: 'llama' } };
    await assert.rejects(readTokenizer(source), /134217728 bytes; the limit is/);
  });
});
