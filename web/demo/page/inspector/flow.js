// The vectors of a block in the order of the computation: lines { symbol, says, vector }, or { symbol, says, of } for a norm
// whose output is not known and whose input is `of`.

const sumSymbol = (...symbols) => symbols.filter(Boolean).join(' + ');

/** @param {import('../../types').Inside} block */
export function linesOf({ vectors: v, norms }) {
  const c = v.cross && 'c';
  const line = (symbol, says, vector) => ({ symbol, says, vector });
  const norm = (symbol, to, of, vector) => ({ symbol, says: `normalized for ${to}`, of, vector });
  const x = line('x', 'comes in', v.x);
  const a = line('a', v.cross ? 'self-attention adds' : 'attention adds', v.attention);
  const cross = v.cross && line('c', 'cross-attention adds', v.cross);
  const m = line('m', 'feed-forward adds', v.forward);
  const first = v.cross && line('x + a', 'the sum', v.first);
  if (norms === 'parallel') {
    return [x, norm('norm(x)', 'both', v.x), a, m, line('y = x + a + m', 'goes out', v.y)];
  }
  if (norms === 'after') {
    const y = line('y', 'normalized, goes out', v.y);
    const second = v.cross
      ? [first, norm('norm', 'cross-attention', v.first), cross]
      : [line('x + a', 'the sum', v.sum)];
    const h = line('h', v.cross ? 'the sum, normalized' : 'normalized', v.between);
    return [x, a, ...second, h, m, line('h + m', 'the sum', v.last), y];
  }
  const sum = sumSymbol('x', 'a', c);
  return [
    ...[x, norm('norm(x)', 'attention', v.x, v.normed), a],
    ...(v.cross ? [first, norm('norm', 'cross-attention', v.first, v.crossNormed), cross] : []),
    line(sum, 'the sum', v.between),
    norm('norm', 'feed-forward', v.between, v.forwardNormed),
    ...[m, line(`y = ${sumSymbol(sum, 'm')}`, 'goes out', v.y)],
  ];
}

/** The sums of one component: [[symbol, number]…, total symbol, total] each. */
export function sumsOf({ vectors: v, norms }, at) {
  const term = (symbol, vector) => [symbol, vector[at]];
  const [x, a, m] = [term('x', v.x), term('a', v.attention), term('m', v.forward)];
  const cross = v.cross ? [term('c', v.cross)] : [];
  if (norms !== 'after') return [{ terms: [x, a, ...cross, m], symbol: 'y', total: v.y[at] }];
  return [
    { terms: [x, a], symbol: '', total: (v.sum ?? v.first)[at] },
    { terms: [term('h', v.between), m], symbol: '', total: v.last[at] },
  ];
}

/** What a norm does to its input, in numbers. */
export function statisticsOf(vector) {
  const count = vector.length;
  let [sum, squares] = [0, 0];
  for (const number of vector) sum += number;
  const mean = sum / count;
  for (const number of vector) squares += number * number;
  const root = Math.sqrt(squares / count);
  return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)), root };
}
