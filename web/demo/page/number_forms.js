// Weights, scores and terms of formulas as text: each with the same decimals everywhere on the page.

import { formatValue } from 'attention-wasm/heatmap';

export const formatWeight = (weight) => formatValue(weight, { decimals: 5 });
export const formatScore = (score) => formatValue(score, { decimals: 4 });

/** Three decimals, and 1.2e−4 instead of a × that would look like the formula's. */
export function formatTerm(value) {
  const size = Math.abs(value);
  if (Number.isFinite(value) && size !== 0 && (size < 0.0005 || size >= 1e5)) {
    return value.toExponential(1).replaceAll('-', '−').replace('e+', 'e');
  }
  return formatValue(value, { decimals: 3 });
}
