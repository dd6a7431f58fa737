// Beam search: extends the `beam` likeliest unfinished sequences by one token per step. Ties are broken by the earlier
// sequence, then by the smaller id.
import { requireLogits } from './pick_token.js';

// exp() dominates the search's own time: a table of powers, times three terms of the Taylor series for the rest
// (relative error at most 3e-9).
const negligible = 30; // e^-30 does not change a float32 sum of 1
const fineness = 64; // table entries per unit
const powers = /* @__PURE__ */ Float64Array.from({ length: negligible * fineness + 1 }, (_, n) =>
  Math.exp(-n / fineness),
);

/** log Σ exp of a row. */
export function logSumExp(row) {
  let max = -Infinity;
  for (const x of row) if (x > max) max = x;
  let sum = 0;
  for (const x of row) {
    const below = max - x;
    if (!(below < negligible)) continue;
    const n = (below * fineness) | 0;
    const rest = n / fineness - below;
    sum += powers[n] * (1 + rest * (1 + rest * (0.5 + rest / 6)));
  }
  return max + Math.log(sum);
}

/** Indices of the `count` largest numbers of a row, the largest first. */
function largest(row, count) {
  const best = [];
  let min = -Infinity; // smallest of `best` once it is full
  for (let n = 0; n < row.length; n++) {
    if (best.length === count && !(row[n] > min)) continue;
    let at = best.length;
    while (at > 0 && row[n] > row[best[at - 1]]) at--;
    best.splice(at, 0, n);
    best.splice(count);
    min = row[best.at(-1)];
  }
  return best;
}

/**
 * Yields the ids of the likeliest unfinished sequence after each step; before, a promise of nextLogits() if it returns
 * one, and must then be resumed with its result. Returns the sequence with the largest mean log
 * probability: its ids without the last, the id of the last token, which may be an end token, and its log probability.
 * Stops when `beam` sequences are finished.
 *
 * @param {(lists: number[][], from: number[]) => { data: Float32Array, dims: number[] }} nextLogits next-token logits for
 *   each of several id lists of equal length, first a single empty list, then `beam`; from: for each, the index of the
 *   list of the previous step that it extends
 * @param {object} options
 * @param {number} options.beam
 * @param {number} options.maxLength
 * @param {Set<number>} options.ends tokens that end a sequence
 * @param {Iterable<number>} [options.bannedIds] tokens excluded everywhere
 * @param {(ids: number[]) => Iterable<number>} [options.bannedAfter] tokens excluded after the ids of a sequence
 * @param {number[]} options.begin ids that every sequence begins with
 * @param {number[]} [options.bannedFirstIds] tokens excluded right after `begin`
 * @param {number} [options.minFinished] minimum number of finished sequences; if there are fewer, unfinished ones compete, too
 */
export function* beamSearch(nextLogits, options) {
  const { beam, maxLength, ends, begin, minFinished = 1 } = options;
  const { bannedIds = [], bannedAfter = () => [], bannedFirstIds = [] } = options;
  let going = [{ ids: [], from: 0, logProbability: 0 }];
  const finished = [];
  for (let length = 0; finished.length < beam && going[0] && length < maxLength; length++) {
    let logits = nextLogits(
      going.map(({ ids }) => ids),
      going.map(({ from }) => from),
    );
    if (logits instanceof Promise) logits = yield logits;
    const first = length === begin.length ? bannedFirstIds : [];
    const candidates = extend(
      going,
      logits,
      (ids) => [...bannedIds, ...first, ...bannedAfter(ids)],
      // The likeliest tokens may include every end token.
      length < begin.length ? [begin[length]] : beam + ends.size,
    );
    going = [];
    for (const one of candidates) {
      if (going.length === beam) break;
      if (ends.has(one.id)) finished.push(one);
      else going.push({ ...one, ids: [...one.ids, one.id] });
    }
    if (length >= begin.length && going[0]) yield going[0].ids;
  }
  const found = finished.length < minFinished ? [...finished, ...going] : finished;
  return found.reduce((best, other) => (other.worth > best.worth ? other : best));
}

/**
 * Candidates, the likeliest first: each sequence extended by its `next` likeliest tokens, or by the ids in `next`. Those of
 * bannedAfter(ids) are no candidates.
 */
function extend(sentences, { data, dims }, bannedAfter, next) {
  const vocabulary = dims[1];
  const candidates = sentences.flatMap(({ ids, logProbability }, n) => {
    const row = data.subarray(n * vocabulary, (n + 1) * vocabulary);
    requireLogits(row, ids.length);
    for (const id of bannedAfter(ids)) row[id] = -Infinity;
    const total = logSumExp(row);
    return (Array.isArray(next) ? next : largest(row, next)).map((id) => {
      const sum = logProbability + row[id] - total;
      // The sum favors short sequences, so sequences are compared by the mean.
      return { ids, from: n, id, logProbability: sum, worth: sum / (ids.length + 1) };
    });
  });
  return candidates.sort((a, b) => b.logProbability - a.logProbability);
}
