// What the command's arguments ask for, and the sentence for those that cannot be understood.

import { parseArgs } from 'node:util';
import { lexicalScale } from '../text.js';

/** The caller's mistake: shown with a hint, exit code 2. */
export class UsageError extends Error {}

// 256 rather than the 64 of wordVectors(): two words with nothing in common resemble each other by
// chance as 1/√dim, and a picture should not show that.
const defaults = { dim: 256, seed: 0, heads: 1 };
const largestDim = 65536;
const largestSeed = 2 ** 32 - 1;

const options = {
  context: { type: 'string', short: 'c' },
  causal: { type: 'boolean' },
  scale: { type: 'string' },
  heads: { type: 'string' },
  average: { type: 'boolean' },
  dim: { type: 'string' },
  seed: { type: 'string' },
  positions: { type: 'boolean' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
};

export const help = `Usage: attention-wasm [options] TEXT
       ... | attention-wasm [options]

Shows how the words of TEXT attend to each other: a row for each word that
reads, a column for each word it reads, and where they meet the weight. Every
row sums to 1. Without TEXT, or with -, the text comes from standard input.

The vectors of the words are made of their spelling (character n-grams): equal
words attend to each other most, and similar ones (uncle, uncles) more than
others. They know nothing of meaning.

Attention:
  -c, --context TEXT  cross-attention: the words of the first text read those of
                      this one, or of standard input if -
      --causal        a word reads only itself and the words before it
      --scale N       factor on query · key. By default ${lexicalScale} times the number of
                      heads, with which equal words stand out; "default" is the
                      1/√d of the Transformer, under which vectors of length 1
                      attend to all almost alike
      --heads N       splits the vectors into N heads, with a matrix for each
      --average       shows the mean of the heads

Vectors:
      --dim N         numbers in each (${defaults.dim}); the fewer, the more chance likeness
      --seed N        another set of vectors (${defaults.seed})
      --positions     mixes in the word's place, so that neighbours are similar

Output:
      --json          tokens, options, weights and scores as JSON; a word that
                      may not be read scores null
      --csv           the weights as CSV, with the words as header
      --color WHEN    always, never or auto: on terminals with at least 256
                      colours, unless NO_COLOR or FORCE_COLOR says otherwise
  -h, --help          this text
  -V, --version       the version

Examples:
  attention-wasm "Zuko made his uncle tea"
  attention-wasm "made tea" --context "Zuko made his uncle tea"
  attention-wasm --causal --json < poem.txt
`;

/** The request in `args`: { text, context, format, … }; throws a UsageError. */
export function readArguments(args) {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const given = {};
  const texts = [];
  for (const token of tokens) {
    if (token.kind === 'positional') texts.push(token.value);
    if (token.kind === 'option') given[token.name] = readOption(token);
  }
  if (given.help || given.version) return { shows: given.help ? 'help' : 'version' };
  if (given.json && given.csv) throw new UsageError('--json and --csv exclude each other');
  if (given.causal && given.context !== undefined) {
    throw new UsageError('--causal looks back in one text and cannot be combined with --context');
  }
  const heads = readWhole('heads', given.heads ?? defaults.heads, 1, largestDim);
  const dim = readWhole('dim', given.dim ?? defaults.dim, 1, largestDim);
  if (dim % heads !== 0) {
    throw new UsageError(`--dim ${dim} is not a multiple of --heads ${heads}`);
  }
  return {
    shows: 'attention',
    // Words without quotes around them are one text, as for echo.
    text: texts.length > 0 ? texts.join(' ') : undefined,
    context: given.context,
    causal: given.causal ?? false,
    scale: readScale(given.scale, dim / heads, heads),
    heads: given.heads === undefined ? undefined : heads,
    average: given.average ?? false,
    dim,
    seed: readWhole('seed', given.seed ?? defaults.seed, 0, largestSeed),
    positions: given.positions ?? false,
    format: given.json ? 'json' : given.csv ? 'csv' : 'table',
    color: readColor(given.color ?? 'auto'),
  };
}

function readOption({ name, rawName, value }) {
  if (!Object.hasOwn(options, name)) throw new UsageError(`unknown option "${rawName}"`);
  if (options[name].type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return true;
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value`);
  return value;
}

function readWhole(name, value, least, most) {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} is "${value}"; expected a whole number from ${least} to ${most}`);
}

// Each head sees 1/heads of a vector, and about that much of its squared length.
function readScale(value, headDim, heads) {
  if (value === undefined) return { scale: lexicalScale * heads, note: '' };
  if (value === 'default') return { scale: 1 / Math.sqrt(headDim), note: ` (1/√${headDim})` };
  const number = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) ? Number(value) : NaN;
  if (Number.isFinite(Math.fround(number))) return { scale: number, note: '' };
  throw new UsageError(`--scale is "${value}"; expected a number or "default"`);
}

function readColor(value) {
  if (['always', 'never', 'auto'].includes(value)) return value;
  throw new UsageError(`--color is "${value}"; expected always, never or auto`);
}
