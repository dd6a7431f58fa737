// Cuts encodings of one or two texts to a number of tokens, the longest first, as the Rust library does.

/** Lengths of the texts that have `room` tokens together; two long ones have half each, the second one more if it is odd. */
function lengthsWithin(lengths, room) {
  if (lengths.length === 1) return [Math.min(lengths[0], room)];
  const [first, second] = lengths;
  if (first + second <= room) return lengths;
  const shorter = Math.min(first, second);
  const half = Math.floor(room / 2);
  const [less, more] = shorter <= half ? [shorter, room - shorter] : [half, room - half];
  return first > second ? [more, less] : [less, more];
}

/** side: where tokens are removed, 'right' or 'left'. */
function cut({ ids, typeIds, spans, texts }, length, side) {
  const from = side === 'left' ? ids.length - length : 0;
  const range = (list) => list.slice(from, from + length);
  return { ids: range(ids), typeIds: range(typeIds), spans: range(spans), texts };
}

export function truncated(encodings, room, side) {
  const lengths = lengthsWithin(
    encodings.map(({ ids }) => ids.length),
    room,
  );
  return encodings.map((encoding, n) => cut(encoding, lengths[n], side));
}
