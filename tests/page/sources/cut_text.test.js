// The page's sentence on a text that is too long: the tokens that were read, counted here by the tokenizer and by run().

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadTranslator } from 'attention-wasm/translator';
import { close, open, read } from '../../../web/demo/worker/sources/own_model.js';
import { openModel } from '../../../web/demo/worker/models/open_model.js';
import { computeWeights } from '../../../web/demo/worker/compute/stages.js';
import { initialState } from '../../../web/demo/state_fields.js';
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
    await open({ files: folderOf(positioned(1200)) }, context);
    const text = words(1500);
    const { cut, rows, texts, read: part } = await read({ mode: 'self', first: text }, context);
    assert.equal(cut, 'Read: tokens 1 to 1,023 of 1,502 (the page reads at most 1,024).');
    const { tokenizer } = openModel().model;
    assert.equal(tokenizer.encode(text).ids.length, 1502);
    // [CLS], 1,022 words, and [SEP] in place of the next.
    assert.deepEqual([rows.length, texts[0].split(' ').length], [1024, 1022]);
    assert.deepEqual(part, { from: 0, next: 1023 });
    const short = await read({ mode: 'self', first: words(1022) }, context);
    assert.deepEqual([short.cut, short.rows.length, short.read], ['', 1024, undefined]);
  });

  it('is read whole up to the limit: 510 words have the weights of run(), bit for bit', async () => {
    await open({ files: folderOf(positioned(512)) }, context);
    const text = words(510);
    const reading = await read({ mode: 'self', first: text }, context);
    assert.deepEqual([reading.cut, reading.rows.length], ['', 512]);
    const { attentions } = await openModel().model.run(text, { attentions: true });
    assert.equal(reading.parts.length, attentions.self.length);
    reading.parts.forEach((part, layer) => {
      const drawn = computeWeights(api, part, reading, initialState);
      assert.deepEqual(attentions.self[layer].dims, [2, 512, 512]);
      const differs = drawn.findIndex((weight, at) => weight !== attentions.self[layer].data[at]);
      assert.equal(differs, -1, part.id);
    });
  });

  it('is read on from where it was cut, to its end', async () => {
    await open({ files: folderOf(positioned(32)) }, context);
    const text = words(70, 'the cat sat on mat dog cat');
    const all = text.split(' ');
    const found = [];
    const sentences = [];
    for (let from = 0; from !== null;) {
      const reading = await read({ mode: 'self', first: text, from }, context);
      const inText = reading.rows.filter(({ start }) => start !== null);
      assert.deepEqual(
        [reading.rows[0].text, reading.rows.at(-1).text, reading.rows.length],
        ['[CLS]', '[SEP]', inText.length + 2],
      );
      // Positions are those in the whole text.
      for (const { text: word, start, end } of inText) assert.equal(text.slice(start, end), word);
      assert.ok(text.startsWith(reading.texts[0]));
      found.push(...inText.map((label) => label.text));
      sentences.push(reading.cut.replace(/ \(.*/, ''));
      from = reading.read.next;
      assert.ok(found.length <= all.length, 'words are read twice');
    }
    assert.deepEqual(found, all);
    assert.deepEqual(sentences, [
      'Read: tokens 1 to 31 of 72',
      'Read: tokens 32 to 61 of 72',
      'Read: tokens 62 to 72 of 72',
    ]);
    // A token that the text has not: it is read from its beginning.
    const beyond = await read({ mode: 'self', first: 'the cat', from: 99 }, context);
    assert.deepEqual([beyond.cut, beyond.rows.length], ['', 4]);
  });

  it('is read on without a tokenizer, too', async () => {
    const { config, ...rest } = cases['bert, masked words'];
    await open({ files: folderOf(filesOf({ ...rest, config })) }, context);
    const room = config.max_position_embeddings;
    const ids = Array.from({ length: room + 5 }, (_, at) => String(at % config.vocab_size));
    const first = ids.join(' ');
    const reading = await read({ mode: 'self', first, from: room }, context);
    assert.deepEqual(
      reading.rows.map(({ text }) => text),
      ids.slice(room),
    );
    const [{ start }] = reading.rows;
    assert.ok(first.slice(start).startsWith(ids.slice(room).join(' ')));
    assert.deepEqual(reading.read, { from: room, next: null });
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
    const { cut, rows } = await readSpelling({ mode: 'self', first: words(1100) });
    assert.equal(cut, 'Read: tokens 1 to 1,024 of 1,100 (the page reads at most 1,024).');
    assert.equal(rows.length, 1024);
    const two = await readSpelling({ mode: 'cross', first: 'tea', second: words(1600) });
    assert.equal(
      two.cut,
      'Read of the text it looks at: tokens 1 to 1,024 of 1,600 (the page reads at most 1,024).',
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
