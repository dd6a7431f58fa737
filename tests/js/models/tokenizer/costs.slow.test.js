// The work of each component of a tokenizer is linear in the text, whatever the text is: counts for n, 2n and 4n units,
// no times. What is counted, count_tokenizers.js says; not seen are steps within a regular expression or a concatenation, what
// typed arrays cost when they are made, and what grows with the tokenizer instead of the text: README.md of
// web/lib/models lists it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { decoders } from '../../../../web/lib/models/tokenizer/decoders.js';
import { models } from '../../../../web/lib/models/tokenizer/models.js';
import { normalizers } from '../../../../web/lib/models/tokenizer/normalizers.js';
import { postProcessors } from '../../../../web/lib/models/tokenizer/post_processors.js';
import { preTokenizers } from '../../../../web/lib/models/tokenizer/pre_tokenizers.js';
import { components } from '../../../support/js/hostile_tokenizers.js';

// Twice the text is twice the work; merges of byte pairs take n log n, which is 2.19 here.
const maxRatio = 2.2;

const program = fileURLToPath(new URL('../../../support/js/count_tokenizers.js', import.meta.url));
const results = JSON.parse(
  execFileSync(process.execPath, [program], { encoding: 'utf8', maxBuffer: 2 ** 28 }),
);

const ratioOf = ([one, two, four]) => Math.max(two / one, four / two);

describe('the work of tokenizers', () => {
  for (const [kind, table] of Object.entries({
    normalizer: normalizers,
    pre_tokenizer: preTokenizers,
    post_processor: postProcessors,
    decoder: decoders,
    model: models,
  })) {
    it(`is counted for each ${kind}`, () => {
      assert.deepEqual(Object.keys(components[kind]).sort(), Object.keys(table).sort());
      for (const [type, all] of Object.entries(components[kind])) assert.ok(all.length > 0, type);
    });
  }

  for (const measure of ['blocks', 'elements']) {
    it(`is at most ${maxRatio} times as much for twice the text: ${measure}`, () => {
      assert.ok(results.length > 1000, `${results.length} tokenizers and texts`);
      const wrong = results.filter((one) => !(ratioOf(one[measure]) < maxRatio));
      assert.deepEqual(
        wrong.map((one) => `${one.name}: ${one[measure].join(', ')}`),
        [],
      );
    });
  }
});
