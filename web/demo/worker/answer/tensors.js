// Tensors of the current part for downloads, and what it takes to open them again.

import { given } from '../compute/stages.js';

/** @import { Part, VectorPart } from '../../types' */
/** @import { SavedTensors, SavedTokens } from '../messages' */
/** @import { Computation, Computed, Labels } from '../types' */

/**
 * Query, key, value, mask, options and tokens.
 * @param {Computation} computation
 * @returns {SavedTensors}
 */
export function tensorsOf({ part, labels, computed }) {
  const { query, key, value, bias: mask } = vectorsOf(part);
  return {
    query,
    key,
    value,
    mask,
    options: computed.options,
    tokens: tokensOf(part, labels, computed),
  };
}

/**
 * @param {Part} part
 * @returns {Partial<VectorPart>}
 */
const vectorsOf = (part) => (part.kind === 'vectors' ? part : {});

/**
 * All tokens, before hiding and merging.
 * @param {Part} part
 * @param {Labels} labels
 * @param {Computed} computed
 * @returns {SavedTokens}
 */
function tokensOf(part, { rows, columns }, computed) {
  const { x, scale, bias } = vectorsOf(part);
  // A bias cannot be reopened from a file: the weights are saved instead.
  const weights = bias
    ? { data: computed.stages.weights, dims: bias.dims }
    : part.kind === 'vectors'
      ? undefined
      : given(part);
  const ordered = part.ordered ?? rows === columns;
  return {
    rows,
    columns: columns === rows ? null : columns,
    x,
    weights,
    ordered,
    causal: part.causal,
    scale,
  };
}
