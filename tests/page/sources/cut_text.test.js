// The page's sentence on a text that is too long: the tokens that were read, counted here by the tokenizer and by run().

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadTranslator } from 'attention-wasm/translator';
import { close, open, read } from '../../../web/demo/worker/sources/own_model.js';
import { openModel } from '../../../web/demo/worker/models/open_model.js';
import { read as readSpelling } from '../../../web/demo/worker/sources/spelled_words.js';
import { read as readTrained } from '../../../web/demo/worker/sources/trained_model.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { filesOf, folderOf } from '../../support/js/own_model.js';
import { fillingFiles, writingFiles } from '../../support/js/whole_models.js';

const api = await loadAttention();
const context = { api, step: async () => {}, report: () => {} };
const words = (count, word = 'the cat sat') =>
  Array.from({ length: count }, (_, at) => word.split(' ')[at % word.split(' ').length]).join(' ');

/** A small BERT with this many positions. */
function positioned(positions) {
  const { config, ...rest } = cases['bert, masked words'];
  const files = fillingFiles();
  const shapes = Object.fromEntries(
    Object.entries(rest.shapes).map(([name, dims]) => [
      name,
      /position_embeddings/.test(name) ? [positions, dims[1]] : dims,
    ]),
  );
  const size = { ...config, max_position_embeddings: positions };
  return { ...files, ...filesOf({ ...rest, shapes, config: size }) };
}

describe('a long text', () => {
  afterEach(() => openModel() && close());

  it('names the tokens that were read, and the page’s limit', async () => {
    await open({ files: folderOf(positioned(600)) }, context);
    const text = words(510);
    const { cut, rows, texts } = await read({ mode: 'self', first: text }, context);
    assert.equal(cut, 'Read: tokens 1 to 255 of 512 (the page reads at most 256).');
    const { tokenizer } = openModel().model;
    assert.equal(tokenizer.encode(text).ids.length, 512);
    // [CLS], 254 words, and [SEP] in place of the next.
    assert.deepEqual([rows.length, texts[0].split(' ').length], [256, 254]);
    const short = await read({ mode: 'self', first: words(254) }, context);
    assert.deepEqual([short.cut, short.rows.length], ['', 256]);
  });

  it('names the model’s limit where it is smaller', async () => {
    await open({ files: folderOf(positioned(32)) }, context);
    const { cut, rows } = await read({ mode: 'self', first: words(40) }, context);
    assert.equal(cut, 'Read: tokens 1 to 31 of 42 (the model has positions for 32).');
    assert.equal(rows.length, 32);
  });

  it('names the reason of a model whose rotary factors change', async () => {
    const name = Object.keys(cases).find(
      (one) => (cases[one].config.rope_scaling?.type ?? '') === 'longrope',
    );
    await open({ files: folderOf(filesOf(cases[name])) }, context);
    const { maxInput } = openModel().model.description.self;
    assert.ok(maxInput > 1 && maxInput < 40, `${maxInput}`);
    const first = Array(40).fill('5').join(' ');
    const { cut, rows } = await read({ mode: 'self', first }, context);
    assert.equal(rows.length, maxInput);
    assert.equal(
      cut,
      `Read: tokens 1 to ${maxInput} of 40 (the model reads at most ${maxInput}: ` +
        'beyond original_max_position_embeddings, LongRoPE has other factors).',
    );
  });

  it('names which of two texts was cut', async () => {
    await open({ files: folderOf(writingFiles()) }, context);
    const { encoder, decoder } = openModel().model.description;
    const [long, other] = [encoder, decoder].map(({ maxInput }) => 'b'.repeat(maxInput + 5));
    const both = await read({ mode: 'cross', first: other, second: long }, context);
    const of = (name, read, total, limit) =>
      `Read of the ${name}’s text: tokens 1 to ${read} of ${total} (the model has positions for ${limit}).`;
    assert.equal(
      both.cut,
      [
        of('encoder', encoder.maxInput, long.length, encoder.maxInput),
        of('decoder', decoder.maxInput, other.length, decoder.maxInput),
      ].join(' '),
    );
    assert.equal((await read({ mode: 'cross', first: 'b', second: 'b' }, context)).cut, '');
  });

  it('is said of spelling and of the trained model, too', async () => {
    const { cut, rows } = await readSpelling({ mode: 'self', first: words(600) });
    assert.equal(cut, 'Read: tokens 1 to 512 of 600 (the page reads at most 512).');
    assert.equal(rows.length, 512);
    const two = await readSpelling({ mode: 'cross', first: 'tea', second: words(1600) });
    assert.equal(
      two.cut,
      'Read of the text it looks at: tokens 1 to 512 of 1,600 (the page reads at most 512).',
    );
    const given = { mode: 'cross', first: 'Un chat.', second: words(75) };
    const trained = await readTrained(given, context);
    assert.equal(
      trained.cut,
      'Read of the English text: words 1 to 60 of 75 (longer sentences than those it learned from are translated poorly).',
    );
    assert.equal((await readTrained({ ...given, second: 'A cat.' }, context)).cut, '');
    const translator = await loadTranslator({ api });
    const self = await readTrained({ mode: 'self', first: words(900) }, context);
    const [, last, all, why] = /^Read: characters 1 to ([\d,]+) of ([\d,]+) \((.*)\)\.$/.exec(
      self.cut,
    );
    const count = (number) => Number(number.replaceAll(',', ''));
    assert.deepEqual([count(all), count(last)], [words(900).length, self.texts[0].length]);
    assert.throws(() => translator.encode(words(900)), { message: why });
  });
});
