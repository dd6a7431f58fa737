// attention-wasm/models: beamSearch() with random probabilities and a small vocabulary, compared with a simple search over
// all extensions.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beamSearch, logSumExp } from '../../../web/lib/models/run/beam_search.js';
import { seededNumbers } from '../../support/js/seeded_weights.js';

const plain = (row) => {
  const max = Math.max(...row);
  return max + Math.log(row.reduce((sum, x) => sum + Math.exp(x - max), 0));
};

describe('the logarithm of a sum of powers', () => {
  it('has the accuracy of the series for numbers of any distance', () => {
    for (let below = 0; below < 30; below += 0.0037) {
      for (const row of [
        [5, 5 - below],
        [-below, 0, -below, -0.001],
      ]) {
        const got = logSumExp(row);
        assert.ok(Math.abs(got - plain(row)) < 8e-9, `${got} for ${row}`);
      }
    }
  });

  it('skips terms below the rounding of the largest', () => {
    for (const far of [29.999, 30, 30.5, 1000, Infinity]) {
      assert.ok(Math.abs(logSumExp([1, 1 - far, 1]) - (1 + Math.log(2))) < 1e-12, `${far}`);
    }
    assert.equal(logSumExp([-1000]), -1000);
    // Many terms that are each below rounding add up.
    const many = logSumExp([0, ...Array(1e5).fill(-29.99)]);
    assert.ok(Math.abs(many - Math.log1p(1e5 * Math.exp(-29.99))) < 1e-11, `${many}`);
  });
});

/** Random logits of the next token; with `steps` rounded to few values, so that many are equal. */
const logitsOf = (seed, words, steps) => (ids) =>
  Array.from(seededNumbers(`${seed} ${ids}`, words), (x) =>
    steps ? Math.round(x * steps) / steps : 4 * x,
  );

/** The same search without pruning: it sorts all candidates of a step. */
function* wholeSearch(
  next,
  { beam, maxLength, ends, bannedIds, begin, bannedFirstIds, minFinished },
) {
  let going = [{ ids: [], sum: 0 }];
  const finished = [];
  for (let length = 0; length < maxLength && finished.length < beam && going.length > 0; length++) {
    const all = going.flatMap(({ ids, sum }) => {
      const hidden = length === begin.length ? [...bannedIds, ...bannedFirstIds] : bannedIds;
      const logits = next(ids).map((x, id) => (hidden.includes(id) ? -Infinity : x));
      const total = plain(logits);
      const ways = logits
        .map((x, id) => ({ ids, id, sum: sum + x - total }))
        .sort((a, b) => b.sum - a.sum);
      return length < begin.length ? ways.filter(({ id }) => id === begin[length]) : ways;
    });
    going = [];
    for (const { ids, id, sum } of all.sort((a, b) => b.sum - a.sum)) {
      if (going.length === beam) break;
      if (ends.has(id)) finished.push({ ids, id, worth: sum / (ids.length + 1) });
      else going.push({ ids: [...ids, id], id, sum, worth: sum / (ids.length + 1) });
    }
    if (length >= begin.length && going.length > 0) yield going[0].ids;
  }
  const found = finished.length < minFinished ? [...finished, ...going] : finished;
  return found.reduce((best, other) => (other.worth > best.worth ? other : best));
}

/** The yielded values of a search, and its result. */
function told(search) {
  const steps = [];
  for (;;) {
    const { value, done } = search.next();
    if (!done) steps.push([...value]);
    else return { steps, ids: value.ids, id: value.id, worth: value.worth };
  }
}

describe('beam search', () => {
  const words = 6;
  const usual = {
    ends: new Set([5]),
    bannedIds: [],
    begin: [],
    bannedFirstIds: [],
    minFinished: 1,
  };
  const hows = {
    'as it is': {},
    'of one step': { maxLength: 1, minFinished: 9 },
    'with words that come first': { begin: [3, 1] },
    'with words that never come': { bannedIds: [0, 2] },
    'with words that do not come first': { begin: [4], bannedFirstIds: [5, 1] },
    'with sentences that have to stop': { minFinished: 9 },
    'with two ends': { ends: new Set([5, 0]), minFinished: 2 },
    'without an end': { ends: new Set(), minFinished: 1 },
    'with words that come to an end at once': { begin: [5], maxLength: 4 },
  };
  for (const [name, how] of Object.entries(hows)) {
    it(`finds what an exhaustive search finds: ${name}`, () => {
      for (let seed = 0; seed < 60; seed++) {
        for (const beam of [1, 2, 3, 5]) {
          const options = { ...usual, beam, maxLength: 5, ...how };
          const next = logitsOf(`${name} ${seed}`, words);
          let before = [[]];
          const nextLogits = (lists, from) => {
            lists.forEach((ids, n) =>
              assert.deepEqual(ids.slice(0, -1), before[from[n]].slice(0, ids.length)),
            );
            before = lists;
            return { data: Float64Array.from(lists.flatMap(next)), dims: [lists.length, words] };
          };
          const got = told(beamSearch(nextLogits, options));
          const want = told(wholeSearch(next, options));
          assert.deepEqual(
            [got.steps, got.ids, got.id],
            [want.steps, want.ids, want.id],
            `${seed}, beam ${beam}`,
          );
          assert.ok(Math.abs(got.worth - want.worth) < 1e-7);
        }
      }
    });
  }

  it('prefers the smaller id of equally likely tokens, and the first of equally likely texts', () => {
    for (let seed = 0; seed < 60; seed++) {
      for (const beam of [1, 2, 3, 4]) {
        // Logits do not depend on earlier tokens: sums within a step are equal or differ by much.
        const next = (ids) => logitsOf(`${seed} ${ids.length}`, words, 1)(ids.slice(0, 0));
        const nextLogits = (lists) => ({
          data: Float64Array.from(lists.flatMap(next)),
          dims: [lists.length, words],
        });
        const options = { ...usual, beam, maxLength: 3, minFinished: 9 };
        const got = told(beamSearch(nextLogits, options));
        const want = told(wholeSearch(next, options));
        assert.deepEqual([got.steps, got.ids], [want.steps, want.ids], `${seed}, beam ${beam}`);
      }
    }
  });

  it('needs one finished text by default', () => {
    const nextLogits = (lists) => ({
      data: Float64Array.from(lists.flatMap(() => [2, 0, 1])),
      dims: [lists.length, 3],
    });
    const options = {
      beam: 2,
      maxLength: 2,
      ends: new Set([2]),
      bannedIds: [],
      begin: [],
      bannedFirstIds: [],
    };
    // A finished text precedes unfinished ones with a higher score.
    assert.equal(told(beamSearch(nextLogits, options)).id, 2);
    assert.equal(told(beamSearch(nextLogits, { ...options, minFinished: 3 })).id, 0);
    assert.equal(told(beamSearch(nextLogits, { ...options, ends: new Set() })).id, 0);
  });
});
