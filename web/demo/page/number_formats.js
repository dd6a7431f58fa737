// Number formats of weights, scores and terms of formulas.

import { formatValue } from 'attention-wasm/heatmap';

/** Verb between the words of a row and a column: the same everywhere on the page. */
export const verbOf = ({ hidden, blocked }) =>
  blocked ? 'is blocked from' : hidden ? 'may not look at' : 'looks at';

export const formatWeight = (weight) => formatValue(weight, { decimals: 5 });
export const formatScore = (score) => formatValue(score, { decimals: 4 });

/** Three digits, for a glance: 63.3, 9.14, 0.052. */
export function formatBrief(value) {
  const size = Math.abs(value);
  return formatTerm(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** A weight or probability in percent, with one decimal and at most three digits. */
export function formatPercent(share) {
  const percent = 100 * share;
  const size = Math.abs(percent);
  if (percent !== 0 && size < 0.05) return `under 0.1\u00a0%`;
  const written = percent.toFixed(percent !== 0 && size < 99.95 ? 1 : 0);
  return `${written.replace('-', '−')}\u00a0%`;
}

/** A weight within a sentence: in percent, or with three decimals. */
export function formatShare(weight, isPercent = true) {
  if (!Number.isFinite(weight) || Math.abs(weight) >= 1e4) return formatValue(weight);
  if (isPercent) return formatPercent(weight);
  if (weight !== 0 && Math.abs(weight) < 0.0005) return 'under 0.001';
  return weight === 0 ? '0' : weight.toFixed(3).replace('-', '−');
}

/** A probability in percent, also a small one, as that of a whole text. */
export function formatChance(p) {
  if (p >= 0.0005 || p === 0) return formatPercent(p);
  return p < 1e-4 ? formatValue(p).replaceAll(' ', '\u00a0') : `${(100 * p).toFixed(2)}\u00a0%`;
}

/** Fixed decimals for all cells of a table, however small the number is. */
export function formatCell(value, decimals) {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e6) return formatValue(value);
  const written = value.toFixed(decimals);
  return Number(written) === 0 ? written.replace('-', '') : written.replace('-', '−');
}

/** Probability of a next word. */
export const formatProbability = (value) => (value < 0.0005 ? '<0.001' : value.toFixed(3));

/** Fixed decimals, or scientific notation with e where that would be 0: × would look like a sign of the formula. */
export function formatTerm(value, decimals = 3) {
  if (!Number.isFinite(value)) return formatValue(value);
  const size = Math.abs(value);
  const isFixed = value === 0 || (size >= 0.5 * 10 ** -decimals && size < 1e5);
  const written = isFixed ? size.toFixed(decimals) : size.toExponential(1).replace('e+', 'e');
  return `${value < 0 ? '−' : ''}${written.replace('-', '−')}`;
}

export const shownTerms = 3;

/**
 * A sum of products as text: the largest ones, the count of the others, an addend, and the total.
 * @param {(readonly [number, number, ...unknown[]])[]} terms
 * @param {number} total
 * @param {number | null} [more]
 * @param {(number: number) => string} [formatTotal]
 */
export function sumOf(terms, total, more = null, formatTotal = formatTerm) {
  const order = terms
    .map(([a, b], at) => [Math.abs(a * b), at])
    .sort(([a], [b]) => b - a)
    .slice(0, shownTerms)
    .map(([, at]) => terms[at]);
  const written = order.map(([a, b]) => `${formatTerm(a)} × ${formatTerm(b)}`);
  const rest = terms.length - order.length;
  if (rest > 0) written.push(`… ${rest} more`);
  if (more !== null) written.push(formatTerm(more));
  return `${written.join(' + ')} = ${formatTotal(total)}`;
}
