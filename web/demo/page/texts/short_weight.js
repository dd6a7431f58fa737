// Number below a word of the text.

import { formatBriefly } from 'attention-wasm/heatmap';

/** A weight such as "83" of 100, or ".83" without `isPercent`; '' for one that rounds to 0. */
export function shortWeight(weight, isPercent = true) {
  if (isPercent && Number.isFinite(weight)) {
    const percent = 100 * weight;
    if (Math.abs(percent) < 0.5) return '';
    // Less than all does not round to all.
    const isAlmostAll = percent >= 99.5 && percent < 99.95;
    return percent.toFixed(isAlmostAll ? 1 : 0).replace('-', '−');
  }
  const text = formatBriefly(weight);
  return text === '0' ? '' : text;
}
