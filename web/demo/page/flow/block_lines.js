// The vectors of a block in the order of the computation: lines { symbol, says, vector }, or { symbol, says, of } for a norm
// whose input is `of`, and whose output `vector` is known only in the trained model.

import { formatTerm } from '../number_formats.js';

const sumSymbol = (...symbols) => symbols.filter(Boolean).join(' + ');

/** How a part's output is changed before it is added, in brackets. */
function changesOf(positions, scale) {
  const changes = [
    positions.includes('output') && 'normalized',
    scale === 'learned' && 'times learned factors',
    typeof scale === 'number' && `times ${formatTerm(scale)}`,
  ].filter(Boolean);
  return changes.length > 0 ? ` (${changes.join(', ')})` : '';
}

/** @param {import('../../types').Inside} block */
export function linesOf({ vectors: v, facts }) {
  const { norms, parallel, residualScale } = facts;
  const c = v.cross && 'c';
  const line = (symbol, says, vector) => ({ symbol, says, vector });
  const norm = (symbol, to, of, vector) => ({ symbol, says: `normalized for ${to}`, of, vector });
  const before = (part, ...rest) => (norms[part]?.includes('before') ? [norm(...rest)] : []);
  const x = line('x', 'comes in', v.x);
  const attends = v.cross ? 'self-attention adds' : 'attention adds';
  const a = line('a', attends + changesOf(norms.attention, residualScale), v.attention);
  const cross = line('c', 'cross-attention adds', v.cross);
  const forwards = changesOf(norms.feedForward, residualScale);
  const m = line('m', `feed-forward adds${forwards}`, v.forward);
  const first = line('x + a', 'the sum', v.first);
  if (parallel) {
    const y = line('y = x + a + m', 'goes out', v.y);
    return [x, ...before('attention', 'norm(x)', 'both', v.x), a, m, y];
  }
  if (norms.feedForward.includes('after')) {
    const y = line('y', 'normalized, goes out', v.y);
    const second = v.cross
      ? [first, norm('norm', 'cross-attention', v.first), cross]
      : [line('x + a', 'the sum', v.sum)];
    const h = line('h', v.cross ? 'the sum, normalized' : 'normalized', v.between);
    return [x, a, ...second, h, m, line('h + m', 'the sum', v.last), y];
  }
  const sum = sumSymbol('x', 'a', c);
  return [
    ...[x, ...before('attention', 'norm(x)', 'attention', v.x, v.normed), a],
    ...(v.cross
      ? [first, ...before('crossAttention', 'norm', 'cross-attention', v.first, v.crossNormed)]
      : []),
    ...(v.cross ? [cross] : []),
    line(sum, 'the sum', v.between),
    ...before('feedForward', 'norm', 'feed-forward', v.between, v.forwardNormed),
    ...[m, line(`y = ${sumSymbol(sum, 'm')}`, 'goes out', v.y)],
  ];
}

/** The sums of one component: [[symbol, number]…, total symbol, total] each. */
export function sumsOf({ vectors: v, facts }, at) {
  const term = (symbol, vector) => [symbol, vector[at]];
  const [x, a, m] = [term('x', v.x), term('a', v.attention), term('m', v.forward)];
  const cross = v.cross ? [term('c', v.cross)] : [];
  if (!facts.norms.feedForward.includes('after')) {
    return [{ terms: [x, a, ...cross, m], symbol: 'y', total: v.y[at] }];
  }
  return [
    { terms: [x, a], symbol: '', total: (v.sum ?? v.first)[at] },
    { terms: [term('h', v.between), m], symbol: '', total: v.last[at] },
  ];
}

/** What a norm does to its input, with its numbers. */
export function normSays(vector, { norm, epsilon, normBias, normOffset }) {
  const numbers = Array.from(vector);
  const meanOf = (list) => list.reduce((sum, number) => sum + number, 0) / list.length;
  const factor = `${normOffset === 0 ? '' : `${normOffset} + `}a learned factor`;
  const learned = `then ${factor}${normBias ? ' and shift' : ''}`;
  if (norm === 'rms') {
    const root = Math.sqrt(meanOf(numbers.map((number) => number ** 2)) + epsilon);
    return `number / ${formatTerm(root)}: root mean square, √(mean of squares + ε), ${learned}`;
  }
  const mean = meanOf(numbers);
  const spread = Math.sqrt(meanOf(numbers.map((number) => (number - mean) ** 2)) + epsilon);
  const centered = `number ${mean < 0 ? '+' : '−'} ${formatTerm(Math.abs(mean))}`;
  return `(${centered}) / ${formatTerm(spread)}: mean and spread, √(variance + ε), ${learned}`;
}
