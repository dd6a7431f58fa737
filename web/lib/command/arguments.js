// The arguments of the command itself, read into a request, and the sentence for those that cannot be
// understood.

import { lexicalScale } from '../text.js';
import { fullName, kindNames, kinds } from './kinds.js';
import {
  UsageError,
  parseOptions,
  readColor,
  readFormat,
  readQuestion,
  readWhole,
  sharedOptions,
} from './shell_options.js';

// 256 rather than the 64 of wordVectors(): two words with nothing in common resemble each other by
// chance as 1/√dim, and a picture should not show that.
export const defaults = { dim: 256, seed: 0, heads: 1, kind: 'softmax', temperature: 1 };
// At the least only ties share a row, at the most all words do.
export const temperatures = { min: 0.000001, max: 1000000 };
const largestDim = 65536;
const largestSeed = 2 ** 32 - 1;

const options = {
  context: { type: 'string', short: 'c' },
  causal: { type: 'boolean' },
  kind: { type: 'string' },
  scale: { type: 'string' },
  temperature: { type: 'string' },
  heads: { type: 'string' },
  average: { type: 'boolean' },
  dim: { type: 'string' },
  seed: { type: 'string' },
  positions: { type: 'boolean' },
  ...sharedOptions,
};

/** The request in `args`: { text, context, format, … }; throws a UsageError. */
export function readArguments(args) {
  const { given, text } = parseOptions(args, options);
  const question = readQuestion(given);
  if (question) return question;
  const format = readFormat(given);
  if (given.causal && given.context !== undefined) {
    throw new UsageError('--causal looks back in one text and cannot be combined with --context');
  }
  const kind = readKind(given.kind ?? defaults.kind, given);
  const { without, bandwidth, vectorLength, largestScale } = kinds[kind];
  const heads = readWhole('heads', given.heads ?? defaults.heads, 1, largestDim);
  const dim = readWhole('dim', given.dim ?? defaults.dim, 1, largestDim);
  if (dim % heads !== 0) {
    throw new UsageError(`--dim ${dim} is not a multiple of --heads ${heads}`);
  }
  const scale = without.scale ? null : readScale(given.scale, dim / heads, heads);
  const temperature = without.temperature
    ? null
    : readTemperature(given.temperature ?? defaults.temperature);
  if (scale && temperature) refuseOverflow(scale, temperature);
  if (Math.abs(scale?.scale) > largestScale) {
    throw new UsageError(`--scale is ${scale.scale}; --kind ${kind} takes at most ${largestScale}`);
  }
  return {
    shows: 'attention',
    text,
    context: given.context,
    causal: given.causal ?? false,
    kind,
    scale,
    temperature,
    bandwidth: bandwidth?.(dim, heads) ?? null,
    vectorLength: vectorLength?.(dim) ?? 1,
    heads: given.heads === undefined ? undefined : heads,
    average: given.average ?? false,
    dim,
    seed: readWhole('seed', given.seed ?? defaults.seed, 0, largestSeed),
    positions: given.positions ?? false,
    format,
    color: readColor(given.color),
  };
}

// The name of a kind, if all that was `given` goes with it.
function readKind(value, given) {
  if (!kindNames.includes(value)) {
    const names = `${kindNames.slice(0, -1).join(', ')} or ${kindNames.at(-1)}`;
    throw new UsageError(`--kind is "${value}"; expected ${names}`);
  }
  const kind = fullName(value);
  for (const [option, reason] of Object.entries(kinds[kind].without)) {
    if (given[option] === undefined) continue;
    throw new UsageError(`--kind ${value} takes no --${option}: ${reason}`);
  }
  return kind;
}

// Each head sees 1/heads of a vector, and about that much of its squared length.
function readScale(value, headDim, heads) {
  if (value === undefined) return { scale: lexicalScale * heads, note: '' };
  if (value === 'default') return { scale: 1 / Math.sqrt(headDim), note: ` (1/√${headDim})` };
  const number = readNumber(value);
  if (isFloat(number)) return { scale: number, note: '' };
  throw new UsageError(`--scale is "${value}"; expected a number or "default"`);
}

function readTemperature(value) {
  const number = readNumber(value);
  const { min, max } = temperatures;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--temperature is "${value}"; expected a number from ${min} to ${max}`);
}

function refuseOverflow({ scale }, temperature) {
  if (isFloat(scale / temperature)) return;
  throw new UsageError(
    `--scale ${scale} divided by --temperature ${temperature} is more than 32 bits hold`,
  );
}

function readNumber(value) {
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) ? Number(value) : NaN;
}

function isFloat(number) {
  return Number.isFinite(Math.fround(number));
}
