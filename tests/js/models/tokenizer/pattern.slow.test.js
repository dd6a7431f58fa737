// Patterns of tokenizer.json beside the Rust library: sets of characters over all code points, and random patterns.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allowPatterns } from '../../../../web/lib/models/tokenizer/budget.js';
import { compilePattern } from '../../../../web/lib/models/tokenizer/pattern.js';
import { RandomPatterns } from '../../../support/js/random_patterns.js';
import { seeded } from '../../../support/js/random_tensors.js';
import { splitByRust } from '../../../support/js/rust_patterns.js';
import { splitByPattern } from '../../../support/js/split_text.js';

// Only characters that both versions of Unicode have are compared; that of U+0295 has changed.
const isAssigned = /\P{Cn}/u;
const changed = new Set([0x295]);
const chunks = [];
for (let first = 0; first < 0x2a6d0; first += 0x1000) {
  const codes = Array.from({ length: 0x1000 }, (_, i) => first + i);
  chunks.push(codes.filter((code) => code >> 11 !== 0x1b && !changed.has(code)));
}
const everything = chunks.map((codes) => String.fromCodePoint(...codes)).join('');

const knownToRust = new Set(
  (await splitByRust(String.raw`\P{Cn}+`, { behavior: 'Removed', invert: true })(everything))
    .map(([from, to]) => everything.slice(from, to))
    .join(''),
);

describe('a set of characters', () => {
  for (const set of String.raw`\w \W [\w] [^\w] \d \s \h [[:alnum:]] [[:alpha:]] [[:blank:]] [[:cntrl:]] [[:digit:]]
      [[:graph:]] [[:lower:]] [[:print:]] [[:punct:]] [[:space:]] [[:upper:]] [[:word:]] \p{Punct} \p{L} \p{N} \p{M} \p{P} \p{S}
      \p{Lu} \p{Alphabetic} \p{Word} [\p{Word}] \p{greek} \p{Han} \p{Emoji} (?i)k (?i)[a-z] (?i)[^k] (?i)σ (?i)[à-é] (?i)[^a-zσ]`.split(
    /\s+/,
  )) {
    it(`${set} has the characters that Oniguruma has`, async () => {
      const split = splitByRust(`(?:${set})+`, { behavior: 'Removed', invert: true });
      const expected = new Set(
        (await split(everything)).map(([from, to]) => everything.slice(from, to)).join(''),
      );
      allowPatterns();
      const pattern = compilePattern(`(?:${set})`);
      const found = new Set(everything.match(pattern));
      const isKnown = (one) => isAssigned.test(one) && knownToRust.has(one);
      const wrong = [...everything].filter(
        (one) => isKnown(one) && found.has(one) !== expected.has(one),
      );
      assert.deepEqual(
        wrong.map((one) => one.codePointAt(0).toString(16)),
        [],
      );
    });
  }
});

describe('random patterns', () => {
  it('split random texts as the Rust library does, or are refused', async (test) => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    test.diagnostic(`seed ${seed}`);
    let compared = 0;
    for (let i = 0; i < 1500; i++) {
      const random = new RandomPatterns(seeded(`${seed} ${i}`));
      const source = random.pattern();
      const split = splitByRust(source);
      let pattern;
      allowPatterns();
      try {
        pattern = compilePattern(source);
      } catch (error) {
        assert.ok(error instanceof RangeError, error);
      }
      for (let n = 0; n < 20 && pattern && split; n++) {
        const text = random.text();
        const message = `${source} in ${JSON.stringify(text)}, seed ${seed}`;
        assert.deepEqual(splitByPattern(pattern, text), await split(text), message);
        compared++;
      }
    }
    assert.ok(compared > 5000, `${compared} texts`);
  });
});
