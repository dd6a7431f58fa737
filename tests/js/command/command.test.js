// The command attention-wasm, a call of each subcommand: the rest is in the slow files beside this one.
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
