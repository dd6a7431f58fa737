// Beam search with a model: each sequence has a batch entry in every cache. If two extend the same sequence, its keys and
// values are copied.
import { beamSearch } from './beam_search.js';
import { Decoding } from './runtime.js';

/**
 * The batch entry of each sequence. from: for each, the entry of the sequence that it extends. The first that extends a
 * sequence keeps its entry; the others get free entries.
 */
function entriesOf(from, count) {
  const freeEntries = Array.from({ length: count }, (_, entry) => entry).filter(
    (entry) => !from.includes(entry),
  );
  return from.map((entry, n) => (from.indexOf(entry) === n ? entry : freeEntries.pop()));
}

/** The function nextLogits of beamSearch(). */
function createNextLogits(decoding, { beam, first, finish }) {
  let entries = [0]; // batch entries of the sequences of the previous step
  return (lists, from) => {
    const parentEntries = from.map((n) => entries[n]);
    entries = entriesOf(parentEntries, beam);
    parentEntries.forEach((parent, n) => {
      if (entries[n] !== parent) decoding.copyText(parent, entries[n]);
    });
    const added = lists.map((ids) => (ids.length === 0 ? first : ids.slice(-1)));
    // Free entries repeat the first sequence; their logits are discarded.
    const batch = Array(beam).fill(added[0]);
    entries.forEach((entry, n) => (batch[entry] = added[n]));
    const { length } = added[0];
    const lastRows = entries.map((entry) => (entry + 1) * length - 1);
    return finish(decoding.appendEach(batch, lastRows));
  };
}

/**
 * @import { Matrix } from './vector_rows.js'
 * @typedef {Iterator<number[] | Promise<Matrix>, { ids: number[], id: number }, Matrix | undefined>} BeamSearch
 */

/**
 * Yields the ids of the likeliest unfinished sequence after each step, and promises that beamSearch() is resumed with;
 * returns { ids, id } of the best one: its ids without the last, and the id of the last token, which may be an end token.
 *
 * @param {object} components components of a model
 * @param {object} options those of beamSearch(); first: ids before every sequence; memory: the encoder's output;
 *   interventions: edits, see readInterventions()
 */
export function* searchBeams(components, { first, memory, interventions, ...options }) {
  const { beam, maxLength } = options;
  const decoding = new Decoding(components, {
    memory,
    capacity: first.length + maxLength,
    batch: beam,
    interventions: interventions?.withoutCaptures(),
  });
  try {
    const { finish } = components;
    return yield* beamSearch(createNextLogits(decoding, { beam, first, finish }), options);
  } finally {
    decoding.delete();
  }
}
