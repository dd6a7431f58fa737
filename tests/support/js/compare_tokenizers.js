// A description of a tokenizer in the Rust library and here: differences, and what one of them refuses.

import { messageOf } from '../../../web/lib/arguments/message_of.js';

const { TextTokens } = await import(
  process.env.TEXT_TOKENS ?? '../../../web/lib/models/tokenizer/text_tokens.js'
);

function attempt(use) {
  try {
    return { value: use() };
  } catch (error) {
    return { error };
  }
}

/** Our encoding; spans of special tokens are null. */
function encodeHere(tokenizer, texts, rust) {
  const [text, second] = texts;
  const { ids, typeIds, tokens, spans } = tokenizer.encode(text, second);
  if (rust?.spans === undefined) return { ids, typeIds, tokens };
  const comparable = (span, n) => {
    const expected = rust.spans[n];
    if (expected === undefined) return undefined;
    // A special token before or after which a second post-processor puts another is at 0 there.
    const isEmpty = span[0] === span[1] && (expected === null || expected[0] === expected[1]);
    return isEmpty ? expected : span;
  };
  return { ids, typeIds, tokens, spans: spans.map(comparable) };
}

const stackOf = (/** @type {unknown} */ error) => Object(error).stack;

const names = ['ids', 'typeIds', 'tokens', 'spans'];
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function differenceOf(expected, found) {
  if (typeof expected === 'string') {
    return expected === found ? undefined : { name: 'decoded', expected, found };
  }
  const name = names.find((one) => !isSame(expected[one], found[one]));
  return name && { name, expected: expected[name], found: found[name] };
}

/**
 * @import { RustAnswers } from './rust_answers.js'
 * @typedef {{ name: string, input?: unknown, expected?: unknown, found: unknown }} Difference
 * @typedef {{ by: string, message: string, input: unknown }} Failure of one of the two libraries
 * @typedef {{ difference?: Difference, failure?: Failure, isEqual?: boolean, isRandom?: boolean }} Outcome
 */

const hasProblem = (/** @type {Outcome} */ { difference, failure }) =>
  (difference ?? failure) !== undefined;

/**
 * The outcome of one text or list of ids.
 *
 * @returns {Outcome}
 */
function compareOne(input, expected, use) {
  const found = attempt(use);
  if (found.error && !(found.error instanceof RangeError)) {
    return { difference: { name: 'error', input, found: stackOf(found.error) } };
  }
  if (expected.error !== undefined && found.error) return {};
  if (expected.error !== undefined)
    return { failure: { by: 'rust', message: expected.error, input } };
  if (found.error) return { failure: { by: 'here', message: messageOf(found.error), input } };
  const difference = differenceOf(expected.value, found.value);
  return difference ? { difference: { ...difference, input } } : { isEqual: true };
}

/**
 * { refusedHere?, refusedByRust?, failures, differences, compared }. failures: inputs that one of the two refuses.
 * @param {{ description: object, texts: string[][], ids: number[][] }} sample
 * @param {RustAnswers} rust
 */
export async function compareTokenizers(sample, rust) {
  const { description, texts, ids } = sample;
  const here = attempt(() => new TextTokens(description, {}));
  // Where an added token is empty, which is refused here, the library takes half a minute for the texts.
  const asked = here.error ? { description, texts: [], ids: [] } : sample;
  const { refused, answers } = await rust.ask(asked);
  const result = {
    refusedByRust: refused,
    /** @type {string | undefined} */
    refusedHere: undefined,
    /** @type {Failure[]} */
    failures: [],
    /** @type {Difference[]} */
    differences: [],
    compared: 0,
  };
  if (here.error) {
    result.refusedHere = messageOf(here.error);
    if (!(here.error instanceof RangeError)) {
      result.differences.push({ name: 'error', found: stackOf(here.error) });
    }
  }
  if (refused !== undefined || here.error) return result;
  const tokenizer = here.value;
  const compare = (index, use, input, all) =>
    compareOne(input, all[index], () => use(all[index].value));
  const inputs = [
    ...texts.map((text) => ({ text, use: (rustValue) => encodeHere(tokenizer, text, rustValue) })),
    ...ids.map((list) => ({ ids: list, use: () => tokenizer.decode(list) })),
  ];
  const others = []; // further answers of the library to the same sample
  for (const [index, { use, ...input }] of inputs.entries()) {
    /** @type {Outcome} */
    let outcome = compare(index, use, input, answers);
    // The library is random where two added tokens have the same normalized text, and may end the process with one of
    // them: one such answer, or an equal one, is enough.
    for (let again = 0; again < 40 && hasProblem(outcome); again++) {
      others[again] ??= (await rust.ask(sample)).answers ?? answers;
      if (!hasProblem(compare(index, use, input, others[again]))) outcome = { isRandom: true };
    }
    const { difference, failure, isEqual } = outcome;
    if (difference) {
      result.differences.push(difference);
      return result;
    }
    if (failure) result.failures.push(failure);
    if (isEqual) result.compared++;
  }
  return result;
}
