// Text as input of attention: words() splits it, wordVectors() maps each word to a vector of its spelling.
// x_w = sum over the n-grams g of <w> of sign(g) ∈ {−1, +1}^dim, scaled to length 1: words × dim.

import { describe } from './arguments/describe.js';
import { readOptions, string } from './arguments/options.js';
import { segmentWords } from './text/segment_words.js';

/** Factor on the cosine of two words that makes identical words stand out; see text.d.ts. */
export const lexicalScale = 4;

const minGram = 3;
const maxGram = 6;
const maxDim = 65536;
const maxSeed = 2 ** 32 - 1;
const maxFloats = 2 ** 30; // 4 GiB: more than a module's memory can hold

export function words(text, options) {
  if (typeof text !== 'string') {
    throw new TypeError(`text must be a string, found ${describe(text)}`);
  }
  // A fixed default locale: results do not depend on the machine's language.
  const { locale = 'en' } = readOptions('words', options, { locale: string });
  return [...segmentWords(text, locale)];
}

export function wordVectors(list, options) {
  const {
    dim = 64,
    seed = 0,
    positions: positionWeight = 0,
  } = readOptions('wordVectors', options, {
    dim: integerIn(1, maxDim),
    seed: integerIn(0, maxSeed),
    positions: readFraction,
  });
  const spelled = readWords(list, dim);
  const data = new Float32Array(spelled.length * dim);
  const start = mix(seed + 0x9e3779b9);
  const sum = new Float64Array(dim);
  const rotation = positionWeight > 0 ? positionRotation(dim) : null;
  spelled.forEach((word, row) => {
    spell(word, start, sum);
    if (rotation) mixPosition(sum, rotation, positionWeight);
    data.set(sum, row * dim);
  });
  return { data, dims: [spelled.length, dim] };
}

// ---- spelling -----------------------------------------------------------------------------------

// The unit vector of one word into `sum`. All sums are of ±1, hence exact in any order.
function spell(word, start, sum) {
  const grams = gramHashes(word);
  sum.fill(0);
  for (const gram of grams) addSigns(sum, mix(gram ^ start));
  // With very few dimensions the signs of several n-grams can cancel; the word alone never does.
  if (!toUnitLength(sum)) {
    addSigns(sum, mix(Number(grams.values().next().value) ^ start));
    toUnitLength(sum);
  }
}

// FNV-1a hashes of the set of n-grams of <word>, the whole of <word> first.
function gramHashes(word) {
  // Decomposed, so that an accent (or a Korean letter) is a difference of one code point. Firefox's normalize() replaces
  // lone surrogates by U+FFFD, other engines do not: replaced first, for the same result.
  const wellFormed = word.replace(/\p{Cs}/gu, '\ufffd');
  const plain = wellFormed.normalize('NFKD').toLowerCase().normalize('NFKD');
  const points = Array.from(`<${plain}>`, (character) => Number(character.codePointAt(0)));
  const hashes = new Set([points.reduce(hashPoint, 0x811c9dc5)]);
  for (let first = 0; first + minGram <= points.length; ++first) {
    const end = Math.min(points.length, first + maxGram);
    let hash = 0x811c9dc5;
    for (let i = first; i < end; ++i) {
      hash = hashPoint(hash, points[i]);
      if (i - first + 1 >= minGram) hashes.add(hash);
    }
  }
  return hashes;
}

// One code point as three bytes, low byte first.
function hashPoint(hash, point) {
  hash = Math.imul(hash ^ (point & 0xff), 0x01000193);
  hash = Math.imul(hash ^ ((point >>> 8) & 0xff), 0x01000193);
  return Math.imul(hash ^ (point >>> 16), 0x01000193);
}

// A bijection of 32-bit integers in which every input bit moves every output bit (MurmurHash3's).
function mix(x) {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

// Adds one n-gram's vector: bit b of the draw for block k is the sign of coordinate 32 k + b.
function addSigns(sum, gram) {
  for (let first = 0; first < sum.length; first += 32) {
    let bits = mix(gram ^ Math.imul(first + 1, 0x9e3779b9));
    const end = Math.min(sum.length, first + 32);
    for (let i = first; i < end; ++i, bits >>>= 1) sum[i] += bits & 1 ? -1 : 1;
  }
}

// Scales to length 1; false for a vector of zeros.
function toUnitLength(sum) {
  const length = Math.sqrt(sum.reduce((total, x) => total + x * x, 0));
  if (!(length > 0)) return false;
  for (let i = 0; i < sum.length; ++i) sum[i] /= length;
  return true;
}

// ---- positions ----------------------------------------------------------------------------------

// Sines and cosines of position 0, and the rotation of each pair from a position to the next: a rotation needs only
// + and ×, so that results have the same bits in engines with different Math.sin().
function positionRotation(dim) {
  const pairs = Math.ceil(dim / 2);
  const turns = Array.from({ length: pairs }, (_, pair) =>
    sineAndCosine(exponential((-4 * Math.LN10 * 2 * pair) / dim)),
  ); // angles of 10000^(−2 pair / dim)
  return { sin: new Float64Array(pairs), cos: new Float64Array(pairs).fill(1), turns };
}

// √(1 − w) · spelling + √w · position with w = positionWeight and both vectors of length 1 (dim/2 pairs have length
// √(dim/2)), scaled to length 1. Advances the rotation to the next position.
function mixPosition(sum, { sin, cos, turns }, positionWeight) {
  const spelling = Float64Array.from(sum);
  const factor = Math.sqrt(positionWeight) * Math.sqrt(2 / sum.length);
  for (let i = 0; i < sum.length; ++i) {
    const wave = i % 2 ? cos[(i - 1) / 2] : sin[i / 2];
    sum[i] = Math.sqrt(1 - positionWeight) * sum[i] + factor * wave;
  }
  if (!toUnitLength(sum)) sum.set(spelling);
  turns.forEach((turn, pair) => {
    const [s, c] = [sin[pair], cos[pair]];
    sin[pair] = s * turn.cos + c * turn.sin;
    cos[pair] = c * turn.cos - s * turn.sin;
  });
}

// e^x for −10 ≤ x ≤ 0: Taylor's series at x/16, squared four times.
function exponential(x) {
  let [sum, term] = [1, 1];
  for (let n = 1; n <= 20; ++n) sum += term *= x / 16 / n;
  for (let n = 0; n < 4; ++n) sum *= sum;
  return sum;
}

// Taylor's series, for 0 ≤ x ≤ 1.
function sineAndCosine(x) {
  let [sin, cos, term] = [0, 1, 1];
  for (let n = 1; n <= 20; n += 4) {
    sin += term *= x / n;
    cos -= term *= x / (n + 1);
    sin -= term *= x / (n + 2);
    cos += term *= x / (n + 3);
  }
  return { sin, cos };
}

// ---- reading arguments --------------------------------------------------------------------------

function readWords(list, dim) {
  if (!Array.isArray(list)) {
    throw new TypeError(`words must be an array of strings, found ${describe(list)}`);
  }
  const count = list.length;
  if (count * dim > maxFloats) {
    throw new RangeError(
      `words × dim must be at most ${maxFloats}, found ${count} × ${dim} = ${count * dim}`,
    );
  }
  const copy = [];
  for (let i = 0; i < count; ++i) {
    const word = list[i];
    if (typeof word !== 'string') {
      throw new TypeError(`words[${i}] must be a string, found ${describe(word)}`);
    }
    copy.push(word);
  }
  return copy;
}

function integerIn(min, max) {
  return (value, name) => {
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    const Problem = typeof value === 'number' ? RangeError : TypeError;
    throw new Problem(`${name} must be an integer from ${min} to ${max}, found ${describe(value)}`);
  };
}

function readFraction(value, name) {
  if (typeof value === 'boolean') return value ? 0.5 : 0;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  const Problem = typeof value === 'number' ? RangeError : TypeError;
  throw new Problem(
    `${name} must be true, false or a number from 0 to 1, found ${describe(value)}`,
  );
}
