// Beam search: several unfinished sentences side by side, of which the likeliest go on. Where two are equally likely,
// that goes on which stood before the other, and with the smaller id.

// Powers of e are most of a search's own time: they are looked up, and the rest of the way is three terms of the series
// (an error of 3e-9 at most).
const negligible = 30; // e^-30 is lost in a float beside 1
const fineness = 64; // powers a unit
const powers = /* @__PURE__ */ Float64Array.from({ length: negligible * fineness + 1 }, (_, n) =>
  Math.exp(-n / fineness),
);

/** The log of the sum of exp of a row. */
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

/** Numbers of the `count` largest of a row, the largest first. */
function largest(row, count) {
  const best = [];
  let min = -Infinity; // of the best, once they are as many as wanted
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
 * Yields the ids of the likeliest sentence so far after each step; returns the likeliest that was found, its ids
 * without the end, the id of its last token, which may be the end, and its log probability. Ends when as many sentences
 * are finished as there were beams.
 *
 * @param {(lists: number[][], from: number[]) => { data: Float32Array, dims: number[] }} nextLogits for lists
 *   alike in length, at first a single empty one and then `beam`, the logits of what follows each; from: the
 *   number of the list before that each continues
 * @param {object} options
 * @param {number} options.beam
 * @param {number} options.longest
 * @param {Set<number>} options.ends tokens that end a sentence
 * @param {Iterable<number>} options.never tokens that no sentence has
 * @param {number[]} options.begin ids that every sentence begins with
 * @param {number[]} options.refused tokens that may not come right after them
 * @param {number} [options.enough] finished sentences: where there are fewer, those that are as long as may be count, too
 */
export function* beamSearch(nextLogits, options) {
  const { beam, longest, ends, never, begin, refused, enough = 1 } = options;
  let going = [{ ids: [], from: 0, logProbability: 0 }];
  const finished = [];
  for (let length = 0; finished.length < beam && going[0] && length < longest; length++) {
    const logits = nextLogits(
      going.map(({ ids }) => ids),
      going.map(({ from }) => from),
    );
    const hidden = length === begin.length ? [...never, ...refused] : never;
    const candidates = extend(
      going,
      logits,
      hidden,
      // Of which all ends may be the likeliest.
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
  const found = finished.length < enough ? [...finished, ...going] : finished;
  return found.reduce((best, other) => (other.worth > best.worth ? other : best));
}

/** Each sentence with its likeliest next tokens, the likeliest first; or with the ids that are given. */
function extend(sentences, { data, dims }, hidden, next) {
  const vocabulary = dims[1];
  const candidates = sentences.flatMap(({ ids, logProbability }, n) => {
    const row = data.subarray(n * vocabulary, (n + 1) * vocabulary);
    for (const id of hidden) row[id] = -Infinity;
    const total = logSumExp(row);
    return (Array.isArray(next) ? next : largest(row, next)).map((id) => {
      const sum = logProbability + row[id] - total;
      // The sum would favour short sentences: what they are worth is the mean.
      return { ids, from: n, id, logProbability: sum, worth: sum / (ids.length + 1) };
    });
  });
  return candidates.sort((a, b) => b.logProbability - a.logProbability);
}
