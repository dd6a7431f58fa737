// Inserts text around spans, nested or apart, and replaces others.

/** Each wrap is { from, to, before, after }, or { from, to, instead } for a word that nothing else touches. */
export function wrapped(text, wraps) {
  const pieces = wraps.flatMap(({ from, to, before, after, instead }, index) => [
    { at: from, text: instead ?? before, order: [1, from - to, index], skip: instead ? to : from },
    { at: to, text: instead ? '' : after, order: [0, to - from, -index], skip: to },
  ]);
  // At equal positions, ends precede starts, and shorter spans are nested in longer ones.
  pieces.sort((a, b) => a.at - b.at || differ(a.order, b.order));
  let result = '';
  let done = 0;
  for (const piece of pieces) {
    result += text.slice(done, piece.at) + piece.text;
    done = Math.max(done, piece.skip);
  }
  return result + text.slice(done);
}

function differ(order, other) {
  const at = order.findIndex((number, index) => number !== other[index]);
  return at < 0 ? 0 : order[at] - other[at];
}
