// Random descriptions of tokenizers and texts: ids, token types, tokens, spans and decoded texts of the Rust library.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { comparedTokenizers } from '../../../support/js/compared_tokenizers.js';

const count = 500;

it(`${count} random tokenizers give what the Rust library gives`, async (test) => {
  const seed = process.env.TOKENIZER_SEED ?? Math.floor(Math.random() * 2 ** 32);
  test.diagnostic(`seed ${seed}`);
  const { compared, problems } = await comparedTokenizers(seed, count);
  assert.deepEqual(problems, [], `seed ${seed}: ${JSON.stringify(problems, null, 1)}`);
  assert.ok(compared > 20 * count, `${compared} texts`);
});
