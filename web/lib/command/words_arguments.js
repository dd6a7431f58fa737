// Parses the arguments of the command without a subcommand.

import { lexicalScale } from '../text.js';
import { fullName, kindNames, kinds } from './attention_kinds.js';
import { kernelsOption, readKernels } from './kernels.js';
import {
  UsageError,
  parseOptions,
  readColor,
  readFormat,
  readHelpRequest,
  readInteger,
  sharedOptions,
} from './shell_options.js';

// 256 instead of the 64 of wordVectors(): unrelated words have a random similarity of about 1/√dim, which should not be
// visible in a table.
export const defaults = { dim: 256, seed: 0, heads: 1, kind: 'softmax', temperature: 1 };
// At the minimum, only equal maxima share a row; at the maximum, all words have equal weights.
export const temperatures = { min: 0.000001, max: 1000000 };
const maxDim = 65536;
const maxSeed = 2 ** 32 - 1;

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
  svg: { type: 'boolean' },
  ...kernelsOption,
  ...sharedOptions,
};

/** The request in `args`: { text, context, format, … }; throws a UsageError. */
export function readArguments(args) {
  const { values, text } = parseOptions(args, options);
  const helpRequest = readHelpRequest(values);
  if (helpRequest) return helpRequest;
  const format = readFormat(values, ['json', 'csv', 'svg']);
  if (values.svg && values.heads !== undefined && !values.average) {
    throw new UsageError('--svg draws one matrix: add --average to --heads');
  }
  if (values.causal && values.context !== undefined) {
    throw new UsageError(
      '--causal applies to self-attention and cannot be combined with --context',
    );
  }
  const kind = readKind(values.kind ?? defaults.kind, values);
  const { without, bandwidth, vectorLength, maxScale } = kinds[kind];
  const heads = readInteger('heads', values.heads ?? defaults.heads, 1, maxDim);
  const dim = readInteger('dim', values.dim ?? defaults.dim, 1, maxDim);
  if (dim % heads !== 0) {
    throw new UsageError(`--dim ${dim} is not a multiple of --heads ${heads}`);
  }
  const scale = without.scale ? null : readScale(values.scale, dim / heads, heads);
  const temperature = without.temperature
    ? null
    : readTemperature(values.temperature ?? defaults.temperature);
  if (scale && temperature) refuseOverflow(scale, temperature);
  if (scale && Math.abs(scale.scale) > (maxScale ?? Infinity)) {
    throw new UsageError(`--scale is ${scale.scale}; --kind ${kind} takes at most ${maxScale}`);
  }
  return {
    shows: 'attention',
    text,
    context: values.context,
    causal: values.causal ?? false,
    kind,
    scale,
    temperature,
    bandwidth: bandwidth?.(dim, heads) ?? null,
    vectorLength: vectorLength?.(dim) ?? 1,
    heads: values.heads === undefined ? undefined : heads,
    average: values.average ?? false,
    dim,
    seed: readInteger('seed', values.seed ?? defaults.seed, 0, maxSeed),
    positions: values.positions ?? false,
    kernels: readKernels(values.kernels),
    format,
    color: readColor(values.color),
  };
}

// The full name of a kind; throws if another option does not apply to it.
function readKind(value, values) {
  if (!kindNames.includes(value)) {
    const names = `${kindNames.slice(0, -1).join(', ')} or ${kindNames.at(-1)}`;
    throw new UsageError(`--kind is "${value}"; expected ${names}`);
  }
  const kind = fullName(value);
  for (const [option, reason] of Object.entries(kinds[kind].without)) {
    if (values[option] === undefined) continue;
    throw new UsageError(`--kind ${value} takes no --${option}: ${reason}`);
  }
  return kind;
}

// Each head has 1/heads of a vector's numbers, and about that fraction of its squared length.
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
    `--scale ${scale} divided by --temperature ${temperature} exceeds the range of float32`,
  );
}

function readNumber(value) {
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) ? Number(value) : NaN;
}

function isFloat(number) {
  return Number.isFinite(Math.fround(number));
}
