// The command attention-wasm: one call of each subcommand. The other tests are in the slow files of this folder.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';
import { command, printed } from '../../support/js/command.js';

const text = 'made tea and tea';

describe('the command', () => {
  it('prints a row for each word', () => {
    const rows = printed([text]).split('\n');
    for (const word of ['made', 'tea', 'and']) assert.ok(rows.some((row) => row.includes(word)));
  });

  it('writes the weights of the library as JSON', async () => {
    const { attention } = await loadAttention();
    const vectors = wordVectors(words(text), { dim: 256 });
    const { weights } = attention(vectors, vectors, vectors, {
      scale: lexicalScale,
      weights: true,
    });
    const written = JSON.parse(printed([text, '--json'])).weights.flat(Infinity);
    assert.deepEqual(written.map(Math.fround), Array.from(weights.data));
  });

  it('draws one matrix as SVG, without numbers in masked cells', () => {
    const numbers = (...args) => printed([text, '--svg', ...args]).match(/>\.\d\d</g).length;
    assert.equal(numbers(), 16);
    assert.equal(numbers('--causal'), 9); // ten are visible, the first is 1
    assert.equal(numbers('--heads', '2', '--average'), 16);
    const { code, err } = command([text, '--svg', '--heads', '2']);
    assert.deepEqual([code, /--average/.test(err)], [2, true]);
  });

  it('translates', () => {
    assert.match(printed(['translate', '--text-only', 'I have a red car.']), /voiture rouge/);
  });

  it('refuses an unknown option with exit code 2, and text beyond its limit', () => {
    const { code, out, err } = command(['--no-such-option', text]);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /--no-such-option/);
    assert.equal(command([], { input: 'a '.repeat(100_000) }).code, 2);
  });
});
