// Weights, scores and terms of formulas as text: each with the same decimals everywhere on the page.

import { formatValue } from 'attention-wasm/heatmap';

export const formatWeight = (weight) => formatValue(weight, { decimals: 5 });
export const formatScore = (score) => formatValue(score, { decimals: 4 });

/** Rounded to its decimals; 1.2e−4 where that is nothing, not a × that would look like the formula's. */
export function formatTerm(value, decimals = 3) {
  if (!Number.isFinite(value)) return formatValue(value);
  const size = Math.abs(value);
  const isFixed = value === 0 || (size >= 0.5 * 10 ** -decimals && size < 1e5);
  const written = isFixed ? size.toFixed(decimals) : size.toExponential(1).replace('e+', 'e');
  return `${value < 0 ? '−' : ''}${written.replace('-', '−')}`;
}
