// Beam search: several unfinished sentences side by side, of which the likeliest go on.
import { specialTokens } from './tokens.js';

// A sentence is judged by its log probability over its length to this power: 1 would be the mean, and
// favours long sentences; 0 the sum, and favours short ones.
const lengthPower = 1;

const negligible = -30; // e to this power is lost in a float beside 1

/** The log of the sum of exp of a row. */
function logSumExp(row) {
  let max = -Infinity;
  for (let n = 0; n < row.length; n++) if (row[n] > max) max = row[n];
  let sum = 0;
  for (let n = 0; n < row.length; n++) {
    const below = row[n] - max;
    if (below > negligible) sum += Math.exp(below);
  }
  return max + Math.log(sum);
}

/** Numbers of the `count` largest of a row, the largest first. */
function largest(row, count) {
  const best = [];
  let min = -Infinity; // of the best, once they are as many as wanted
  for (let n = 0; n < row.length; n++) {
    if (best.length === count && !(row[n] > min)) continue;
    let at = best.length;
    while (at > 0 && row[n] > row[best[at - 1]]) at--;
    best.splice(at, 0, n);
    best.length = Math.min(best.length, count);
    min = row[best.at(-1)];
  }
  return best;
}

/**
 * Yields the ids of the likeliest sentence so far after each step; returns the likeliest that were found,
 * without the end, and their log probability. Ends when as many sentences are finished as there were beams.
 *
 * @param {(lists: number[][], from: number[]) => { data: Float32Array, dims: number[] }} nextLogits for lists
 *   alike in length, at first a single empty one and then `beam`, the logits of what follows each; from: the
 *   number of the list before that each continues
 * @param {{ beam: number, longest: number, begin?: number[], refused?: boolean[] }} options begin: ids that every sentence
 *   begins with; refused: for each token whether it may not come right after them
 */
export function* beamSearch(nextLogits, { beam, longest, begin = [], refused = [] }) {
  let going = [{ ids: [], from: 0, logProbability: 0 }];
  const finished = [];
  while (finished.length < beam && going[0].ids.length < longest) {
    const logits = nextLogits(
      going.map(({ ids }) => ids),
      going.map(({ from }) => from),
    );
    const { length } = going[0].ids;
    if (length > 0 && length === begin.length) hide(logits, refused);
    const candidates = extend(going, logits, length < begin.length ? [begin[length]] : beam);
    going = [];
    for (const { ids, from, id, logProbability } of candidates) {
      if (going.length === beam) break;
      if (id === specialTokens.end) finished.push({ ids, logProbability });
      else going.push({ ids: [...ids, id], from, logProbability });
    }
    if (length >= begin.length) yield going[0].ids;
  }
  const worth = ({ ids, logProbability }) => logProbability / (ids.length + 1) ** lengthPower;
  return (finished.length > 0 ? finished : going).reduce((best, other) =>
    worth(other) > worth(best) ? other : best,
  );
}

function hide({ data }, refused) {
  refused.forEach((isRefused, id) => {
    if (isRefused) data[id] = -Infinity;
  });
}

/** Each sentence with its likeliest next tokens, the likeliest first; or with the ids that are given. */
function extend(sentences, { data, dims }, next) {
  const vocabulary = dims.at(-1);
  const candidates = sentences.flatMap(({ ids, logProbability }, n) => {
    const row = data.subarray(n * vocabulary, (n + 1) * vocabulary);
    row[specialTokens.pad] = -Infinity;
    row[specialTokens.start] = -Infinity;
    const total = logSumExp(row);
    return (Array.isArray(next) ? next : largest(row, next + 1)).map((id) => ({
      ids,
      from: n,
      id,
      logProbability: logProbability + row[id] - total,
    }));
  });
  return candidates.sort((a, b) => b.logProbability - a.logProbability);
}
