// Random descriptions of tokenizers beside the Rust library: no difference, and no refusal but those of the table.
import assert from 'node:assert/strict';
import { compareTokenizers } from './compare_tokenizers.js';
import { randomTokenizer } from './random_tokenizers.js';
import { RustAnswers } from './rust_answers.js';
import { smallSample } from './small_sample.js';

/**
 * Where the Rust library fails or contradicts its documentation, or where it is not followed. by: who refuses.
 * rust_encoding.js leaves out the offsets and names that are wrong there.
 */
export const exceptions = [
  {
    by: 'rust',
    message: /add_prefix_space does not match declared prepend_scheme/,
    reason:
      'Metaspace of older files with add_prefix_space false: read here, as prepend_scheme never',
  },
  {
    by: 'rust',
    message: /the process ended/,
    reason:
      'Strip of decoders panics where a token has fewer characters than stop, and added tokens of white space with lstrip behind one with rstrip',
  },
  {
    by: 'here',
    message: /the normalizer leaves nothing of the added token/,
    reason: 'the library then finds an empty token at each position',
  },
];

const isException = (by, message) =>
  exceptions.some((one) => one.by === by && one.message.test(message));

/** The refusals of one side that are no exceptions. */
function refusalsOf({ refusedHere, refusedByRust, failures }) {
  const refusals = [...failures];
  if (refusedHere !== undefined && refusedByRust === undefined) {
    refusals.push({ by: 'here', message: refusedHere });
  }
  if (refusedByRust !== undefined && refusedHere === undefined) {
    refusals.push({ by: 'rust', message: refusedByRust });
  }
  return refusals.filter(({ by, message }) => !isException(by, message));
}

const problemOf = (result) => result.differences[0] ?? refusalsOf(result)[0];

/** The problem of a sample with as little around it as it needs. */
async function smallProblem(sample, problem, rust) {
  const { text, ids } = problem.input ?? {};
  const single = { ...sample, texts: text ? [text] : sample.texts, ids: ids ? [ids] : sample.ids };
  const name = problem.name ?? problem.by;
  const find = async (one) => problemOf(await compareTokenizers(one, rust));
  const small = await smallSample(single, async (one) => {
    const found = await find(one);
    return found !== undefined && (found.name ?? found.by) === name;
  });
  return { description: small.description, ...((await find(small)) ?? problem) };
}

/** { compared, problems } of descriptions `seed 0`, `seed 1`, …; it ends at the third problem. */
export async function comparedTokenizers(seed, count) {
  const rust = new RustAnswers();
  const problems = [];
  let compared = 0;
  try {
    for (let n = 0; n < count && problems.length < 3; n++) {
      const sample = randomTokenizer(`${seed} ${n}`);
      const result = await compareTokenizers(sample, rust);
      compared += result.compared;
      const problem = problemOf(result);
      if (problem)
        problems.push({ seed: `${seed} ${n}`, ...(await smallProblem(sample, problem, rust)) });
    }
  } finally {
    rust.close();
  }
  return { compared, problems };
}

/** Fails where one of `count` random descriptions differs; prints the seed, which the variable TOKENIZER_SEED sets. */
export async function requireEqualTokenizers(test, count) {
  const seed = process.env.TOKENIZER_SEED ?? Math.floor(Math.random() * 2 ** 32);
  test.diagnostic(`seed ${seed}`);
  // At once: diagnostics of a process that is ended are lost.
  process.stderr.write(`tokenizers of seed ${seed}\n`);
  const { compared, problems } = await comparedTokenizers(seed, count);
  assert.deepEqual(problems, [], `seed ${seed}: ${JSON.stringify(problems, null, 1)}`);
  assert.ok(compared > 20 * count, `${compared} texts`);
}
