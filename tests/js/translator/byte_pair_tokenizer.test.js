// The translator's tokenizer compared with the one of models, which reads all of the same tokenizer.json.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { TextTokens } from '../../../web/lib/models/tokenizer/text_tokens.js';
import { BytePairTokenizer } from '../../../web/lib/translator/byte_pair_tokenizer.js';
import { Sentences } from '../../../web/lib/translator/sentences.js';
import { root } from '../../support/js/package.js';
import { seeded } from '../../support/js/random_tensors.js';

const description = JSON.parse(readFileSync(join(root, 'web/model/tokenizer.json'), 'utf8'));
const { length } = Object.keys(description.model.vocab);
const tokenizer = new BytePairTokenizer(description);
const reference = new TextTokens(description);
const encode = (text) => reference.encodePlain(text);
const decode = (ids) => reference.decode(ids);

const pieces = [
  ..."abcdehilnorstu ABC0123'’«»?!.,:;-\u2581\u200b\u00a0\n\t😀日éße\u0301“…",
  ...['the ', 'ing ', ' of', "n't", '  ', '<0x41>', '<s>', '</s>', '<pad>'],
];

describe('BytePairTokenizer', () => {
  const random = seeded('byte pairs');
  const pick = (count) => random.integer(0, count - 1);
  const texts = Array.from({ length: 2000 }, () =>
    Array.from({ length: pick(30) }, () => pieces[pick(pieces.length)]).join(''),
  );

  it('encodes any text as the reference does', () => {
    for (const text of texts) assert.deepEqual(tokenizer.encodePlain(text), encode(text), text);
  });

  it('decodes any ids as the reference does', () => {
    for (let n = 0; n < 2000; n++) {
      const ids = Array.from({ length: 1 + pick(12) }, () => pick(length));
      assert.equal(tokenizer.decode(ids), decode(ids), ids.join());
    }
    assert.equal(tokenizer.decode([]), '');
  });

  it('gives the tokens of a sentence as the reference does', () => {
    const size = tokenizer.size;
    const [sentences, others] = [tokenizer, reference].map((one) => new Sentences(one, size));
    for (const text of texts) {
      const ids = [1, ...tokenizer.encodePlain(text), 2];
      for (const joinsApostrophes of [true, false]) {
        const expected = others.describe(ids, joinsApostrophes);
        assert.deepEqual(sentences.describe(ids, joinsApostrophes), expected, text);
      }
    }
  });

  it('locates each token at its own characters', () => {
    const { text, spans } = tokenizer.locate([...tokenizer.encodePlain('Bring the 日, now'), 2]);
    assert.equal(text, 'Bring the 日, now');
    const located = spans.map((span) => text.slice(...span));
    assert.equal(located.at(-1), '');
    assert.equal(located.filter((part) => part === '日').length, 3); // one for each byte
    assert.equal(located.filter((part) => part !== '日').join(''), 'Bringthe,now');
  });

  it('covers the whole text except spaces with the spans of its tokens', () => {
    for (const source of texts) {
      const { text, spans } = tokenizer.locate(tokenizer.encodePlain(source));
      const isCovered = Array(text.length).fill(false);
      for (const [start, end] of spans) isCovered.fill(true, start, end);
      const rest = text.split('').filter((_, n) => !isCovered[n]);
      assert.ok(
        rest.every((character) => character === ' '),
        source,
      );
    }
  });

  it('refuses a tokenizer of another kind', () => {
    const model = { type: 'WordPiece', vocab: {} };
    assert.throws(() => new BytePairTokenizer({ ...description, model }), {
      name: 'TypeError',
      message: /^tokenizer must be the parsed tokenizer\.json of the weights/,
    });
    assert.throws(() => new BytePairTokenizer(undefined), TypeError);
  });
});
