// Beams of generate(): texts that grow side by side, each in a place of its own of every cache. A text that goes on in
// another place takes it over from the token on in which the two differ: what they have in common is not touched.
import { beamSearch } from './beam_search.js';
import { someRows } from './vector_rows.js';

function commonLength(a, b) {
  let length = 0;
  while (length < b.length && a[length] === b[length]) length++;
  return length;
}

/** For each place which of the texts goes on there: those that have the most in common with what it holds. */
function placed(texts, held) {
  const pairs = texts.flatMap((text, n) =>
    held.map((other, place) => ({ n, place, common: commonLength(text, other) })),
  );
  const found = new Map();
  const placeOf = new Map();
  for (const { n, place } of pairs.sort((a, b) => b.common - a.common)) {
    if (found.has(place) || placeOf.has(n)) continue;
    found.set(place, n);
    placeOf.set(n, place);
  }
  // Where there are fewer texts than places, the first stands in the others.
  return { texts: held.map((_, place) => texts[found.get(place) ?? 0]), placeOf };
}

/** Matrices of the same dims side by side, as a batch. */
function batchOf(matrices) {
  const { length } = matrices[0].data;
  const data = new Float32Array(matrices.length * length);
  matrices.forEach((matrix, n) => data.set(matrix.data, n * length));
  return { data, dims: [matrices.length, ...matrices[0].dims] };
}

/** For beamSearch(): the logits of what follows each list of ids. */
function followers({ stack, caches, memory, embedding, head }, { beam, first }) {
  let held = Array(beam).fill([]);
  return (lists) => {
    const texts = lists.map((ids) => [...first, ...ids]);
    const { texts: next, placeOf } = placed(texts, held);
    const kept = Math.min(...next.map((text, place) => commonLength(text, held[place])));
    const added = texts[0].length - kept;
    for (const cache of caches) cache.rewind(kept);
    const x = batchOf(next.map((text) => embedding.of(text.slice(kept), { offset: kept })));
    const { hidden } = stack.run(x, { caches, memory });
    held = next;
    const rows = texts.map((_, n) => (placeOf.get(n) + 1) * added - 1);
    return head.logits(someRows(hidden, rows), {});
  };
}

/**
 * Step by step, of which there is nothing to tell; at last the ids of the likeliest text after `first`.
 *
 * @param {(how: object) => object} begin see generate.js
 * @param {object} wanted options of generate(), with first: the ids that are there, longest: how many may follow, and
 *   begin: those that follow first
 */
export function* searchBeams(begin, wanted) {
  const { beam, first, longest, ends, pick } = wanted;
  const widen = (matrix) => batchOf(Array(beam).fill(matrix));
  const state = begin({ capacity: first.length + longest, batch: beam, widen });
  // A text that had to stop is as good as one that came to an end.
  const options = {
    beam,
    longest,
    ends,
    never: pick.refused,
    begin: wanted.begin,
    refused: [],
    enough: beam,
  };
  try {
    const search = beamSearch(followers(state, wanted), options);
    for (;;) {
      const { value, done } = search.next();
      if (done) return ends.has(value.id) ? [...value.ids, value.id] : value.ids;
      yield;
    }
  } finally {
    state.free();
  }
}
