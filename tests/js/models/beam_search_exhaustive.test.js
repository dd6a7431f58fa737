// attention-wasm/models: beam search by itself, among sentences of a few words with any chances, against a search that
// looks at every way to go on.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beamSearch, logSumExp } from '../../../web/lib/models/beam_search.js';
import { searchBeams } from '../../../web/lib/models/beams.js';
import { seededNumbers } from '../../support/js/seeded_weights.js';

const plain = (row) => {
  const max = Math.max(...row);
  return max + Math.log(row.reduce((sum, x) => sum + Math.exp(x - max), 0));
};

describe('the logarithm of a sum of powers', () => {
  it('is as near as the series says, however far the numbers are apart', () => {
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

  it('leaves out what is nothing beside the largest', () => {
    for (const far of [29.999, 30, 30.5, 1000, Infinity]) {
      assert.ok(Math.abs(logSumExp([1, 1 - far, 1]) - (1 + Math.log(2))) < 1e-12, `${far}`);
    }
    assert.equal(logSumExp([-1000]), -1000);
    // A great many that are each next to nothing are something.
    const many = logSumExp([0, ...Array(1e5).fill(-29.99)]);
    assert.ok(Math.abs(many - Math.log1p(1e5 * Math.exp(-29.99))) < 1e-11, `${many}`);
  });
});

/** Logits that a sentence goes on with, of few values where `steps` is, so that many are alike. */
const logitsOf = (seed, words, steps) => (ids) =>
  Array.from(seededNumbers(`${seed} ${ids}`, words), (x) =>
    steps ? Math.round(x * steps) / steps : 4 * x,
  );

/** The same search, of all candidates. */
function* wholeSearch(next, { beam, longest, ends, never, begin, refused, enough }) {
  let going = [{ ids: [], sum: 0 }];
  const finished = [];
  for (let length = 0; length < longest && finished.length < beam && going.length > 0; length++) {
    const all = going.flatMap(({ ids, sum }) => {
      const hidden = length === begin.length ? [...never, ...refused] : never;
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
  const found = finished.length < enough ? [...finished, ...going] : finished;
  return found.reduce((best, other) => (other.worth > best.worth ? other : best));
}

/** What a search yields, and its end. */
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
  const usual = { ends: new Set([5]), never: [], begin: [], refused: [], enough: 1 };
  const hows = {
    'as it is': {},
    'of one step': { longest: 1, enough: 9 },
    'with words that come first': { begin: [3, 1] },
    'with words that never come': { never: [0, 2] },
    'with words that do not come first': { begin: [4], refused: [5, 1] },
    'with sentences that have to stop': { enough: 9 },
    'with two ends': { ends: new Set([5, 0]), enough: 2 },
    'without an end': { ends: new Set(), enough: 1 },
    'with words that come to an end at once': { begin: [5], longest: 4 },
  };
  for (const [name, how] of Object.entries(hows)) {
    it(`finds what looking at everything finds: ${name}`, () => {
      for (let seed = 0; seed < 60; seed++) {
        for (const beam of [1, 2, 3, 5]) {
          const options = { ...usual, beam, longest: 5, ...how };
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

  it('takes the smaller of equally likely words, and the first of equally likely sentences', () => {
    for (let seed = 0; seed < 60; seed++) {
      for (const beam of [1, 2, 3, 4]) {
        // The first word decides nothing: all sums of a step are alike, or differ by much.
        const next = (ids) => logitsOf(`${seed} ${ids.length}`, words, 1)(ids.slice(0, 0));
        const nextLogits = (lists) => ({
          data: Float64Array.from(lists.flatMap(next)),
          dims: [lists.length, words],
        });
        const options = { ...usual, beam, longest: 3, enough: 9 };
        const got = told(beamSearch(nextLogits, options));
        const want = told(wholeSearch(next, options));
        assert.deepEqual([got.steps, got.ids], [want.steps, want.ids], `${seed}, beam ${beam}`);
      }
    }
  });

  it('has one sentence to find unless it is told how many', () => {
    const nextLogits = (lists) => ({
      data: Float64Array.from(lists.flatMap(() => [2, 0, 1])),
      dims: [lists.length, 3],
    });
    const options = { beam: 2, longest: 2, ends: new Set([2]), never: [], begin: [], refused: [] };
    // Of one that ended and those that had to stop: the one that ended, though another is worth more.
    assert.equal(told(beamSearch(nextLogits, options)).id, 2);
    assert.equal(told(beamSearch(nextLogits, { ...options, enough: 3 })).id, 0);
    assert.equal(told(beamSearch(nextLogits, { ...options, ends: new Set() })).id, 0);
  });
});

describe('beams side by side', () => {
  /** A model that remembers, for each place, what it has read there, and of which every answer depends on all of it. */
  function remembering(words, beam, log) {
    const held = Array.from({ length: beam }, () => []);
    const cache = {
      rewind(length) {
        log.rewinds.push(length);
        for (const place of held) {
          assert.ok(place.length >= length);
          place.length = length;
        }
      },
    };
    const embedding = {
      of(ids, { offset }) {
        log.offsets.push(offset);
        return { data: Float32Array.from(ids), dims: [ids.length, 1] };
      },
    };
    const stack = {
      run({ data, dims: [places, count] }) {
        assert.equal(data.length, places * count);
        const hidden = Float32Array.from(data, (id, at) => {
          const place = held[Math.floor(at / count)];
          assert.equal(place.push(id) <= 9, true);
          log.texts.push([...place]);
          return log.texts.length - 1;
        });
        return { hidden: { data: hidden, dims: [places, count, 1] } };
      },
    };
    const head = {
      logits({ data, dims: [count] }) {
        const all = Array.from(data, (at) => log.next(log.texts[at]));
        return { data: Float32Array.from(all.flat()), dims: [count, words] };
      },
    };
    const free = () => log.freed++;
    return { caches: [cache], embedding, stack, head, memory: undefined, free };
  }

  const run = (log, { first, beam, ends = [], refused = [], begin = [], longest = 4 }) => {
    const make = ({ capacity, batch, widen }) => {
      log.made.push([capacity, batch]);
      assert.deepEqual(widen({ data: [1, 2], dims: [1, 2] }), {
        data: Float32Array.from(Array(beam).fill([1, 2]).flat()),
        dims: [beam, 1, 2],
      });
      return remembering(5, beam, log);
    };
    const wanted = {
      beam,
      first,
      longest,
      begin,
      ends: new Set(ends),
      pick: { refused: new Set(refused) },
    };
    return searchBeams(make, wanted);
  };
  const fresh = (next) => ({ next, made: [], rewinds: [], offsets: [], texts: [], freed: 0 });

  it('find what a search finds that reads every text from its beginning', () => {
    for (let seed = 0; seed < 40; seed++) {
      for (const beam of [2, 3, 4]) {
        for (const how of [
          {},
          { ends: [4] },
          { ends: [4, 0] },
          { refused: [1, 2] },
          { begin: [3] },
        ]) {
          const first = [2, 1, 3].slice(0, 1 + (seed % 3));
          const next = logitsOf(`beams ${seed}`, 5);
          const log = fresh(next);
          const search = run(log, { first, beam, ...how });
          let step = search.next();
          let steps = 0;
          for (; !step.done; step = search.next()) steps++;
          const { ends = [], refused = [], begin = [] } = how;
          const options = {
            beam,
            longest: 4,
            ends: new Set(ends),
            never: refused,
            begin,
            refused: [],
            enough: beam,
          };
          const want = told(wholeSearch((ids) => next([...first, ...ids]), options));
          const ids = ends.includes(want.id) ? [...want.ids, want.id] : want.ids;
          assert.deepEqual(step.value, ids, `${seed}, beam ${beam}, ${JSON.stringify(how)}`);
          assert.equal(steps, want.steps.length);
          assert.deepEqual([log.made, log.freed], [[[first.length + 4, beam]], 1]);
          // Of the first text nothing is there, then all but what differs.
          assert.equal(log.rewinds[0], 0);
          assert.ok(log.rewinds.slice(1).every((kept) => kept >= first.length));
        }
      }
    }
  });

  it('read what is new where nothing differs', () => {
    const log = fresh(() => [9, 0, 0, 0, 8]);
    const search = run(log, { first: [1], beam: 1, longest: 4 });
    while (!search.next().done);
    assert.deepEqual(
      [log.rewinds, log.offsets],
      [
        [0, 1, 2, 3],
        [0, 1, 2, 3],
      ],
    );
  });

  it('are freed where the search is left', () => {
    const log = fresh(logitsOf('left', 5));
    const search = run(log, { first: [1], beam: 2 });
    search.next();
    assert.equal(log.freed, 0);
    search.return();
    assert.equal(log.freed, 1);
  });
});
