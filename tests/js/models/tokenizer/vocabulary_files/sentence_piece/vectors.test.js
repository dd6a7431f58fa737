// Small SentencePiece models: the ids that spm_encode gave (tests/vectors/sentence_pieces.js); and damaged files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { pieceTokenizer } from '../../../../../support/js/sentence_pieces.js';
import { readModelFile } from '../../../../../../web/lib/models/tokenizer/vocabulary_files/sentence_piece/model_file.js';

const file = new URL('../../../../../vectors/sentence_pieces.json', import.meta.url);
const { texts, cases } = JSON.parse(readFileSync(file, 'utf8'));

describe('a small SentencePiece model', () => {
  for (const { options, model, ids } of cases) {
    it(`with ${JSON.stringify(options)} gives the ids of spm_encode`, () => {
      const tokenizer = pieceTokenizer(Buffer.from(model, 'base64'));
      for (const [n, text] of texts.entries()) {
        assert.equal(tokenizer.encodePlain(text).join(' '), ids[n], JSON.stringify(text));
      }
    });
  }

  it('locates tokens in the text and decodes them', () => {
    const [{ model }, { model: withBytes }] = cases;
    const tokenizer = pieceTokenizer(Buffer.from(model, 'base64'));
    const text = ' the  \ufb01rst day';
    const { spans } = tokenizer.encode(text);
    assert.equal(tokenizer.decode(tokenizer.encodePlain(text)), 'the first day');
    assert.deepEqual(spans[0], [0, 0]); // <s>
    const covered = new Set(spans.flatMap(([start, end]) => [...text.slice(start, end)]));
    for (const character of 'the\ufb01rsday') assert.ok(covered.has(character), character);
    const bytes = pieceTokenizer(Buffer.from(withBytes, 'base64'));
    assert.equal(bytes.decode(bytes.encodePlain('中 a😀')), '中 a😀');
  });
});

const message = (...parts) => Uint8Array.from(parts.flat());
const field = (number, bytes) => [number * 8 + 2, bytes.length, ...bytes];
const characters = (text) => [...new TextEncoder().encode(text)];
const piece = (text, type = 1) => field(1, [...field(1, characters(text)), 24, type]);
const unknown = piece('?', 2);

describe('a damaged SentencePiece model', () => {
  it('is refused with a sentence', () => {
    for (const [bytes, sentence] of [
      [message(), /it has 0 unknown pieces, expected 1/],
      [message(unknown, unknown), /piece 1, '\?', is there twice/],
      [message(unknown, piece('!', 2)), /it has 2 unknown pieces, expected 1/],
      [message(piece('')), /piece 0 has 0 characters, expected from 1 to 4096/],
      [message(piece('a', 9)), /piece 0 has the type 9, expected from 1 to 6/],
      [message(unknown, piece('<0x00>', 6)), /it has 1 byte pieces, expected 0/],
      [message(unknown, field(2, [24, 3])), /model_type is word/],
      [message(unknown, field(2, [24, 7])), /model_type is 7, expected unigram, bpe or char/],
      [message([10, 0xff, 0xff, 0xff, 0xff, 0x7f]), /where a field of 34359738367 bytes begins/],
      [message([10, 5, 10]), /the file has 1 bytes after byte 2, where a field of 5 bytes begins/],
      [message([10, 3, 10, 9, 97]), /piece 0 has 1 bytes after byte 2/],
      [message(Array(11).fill(0xff)), /an integer of more than 10 bytes/],
      [message([11]), /no valid field at byte 0/],
      [message([2, 0]), /no valid field at byte 0/],
      [message(field(1, field(1, [0xc3]))), /'text' of piece 0 must be UTF-8/],
      [message([8, 1]), /piece 0 must be bytes, found 1/],
      [message(field(1, [8, 1])), /'text' of piece 0 must be bytes, found 1/],
      [message(field(1, field(3, [1]))), /'type' of piece 0 must be an integer, found bytes/],
      [message(field(1, [21, 0, 0, 128, 127])), /'score' of piece 0 must be a finite number/],
      [message(field(1, [16, 1])), /'score' of piece 0 must be a float of 4 bytes/],
    ]) {
      assert.throws(() => readModelFile(bytes), { name: 'RangeError', message: sentence });
    }
  });

  it('with millions of pieces is refused soon', () => {
    const one = piece('a');
    const bytes = new Uint8Array(one.length * (2 ** 20 + 1));
    for (let at = 0; at < bytes.length; at += one.length) bytes.set(one, at);
    assert.throws(() => readModelFile(bytes), /more than 1048576 pieces, which is the limit/);
  });
});
