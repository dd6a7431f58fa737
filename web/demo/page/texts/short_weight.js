// Number below a word of the text.

import { formatBriefly } from 'attention-wasm/heatmap';

/** A weight such as ".83"; '' for one that rounds to 0. */
export function shortWeight(weight) {
  const text = formatBriefly(weight);
  return text === '0' ? '' : text;
}
