// Tensors of the current part for downloads, and what it takes to open them again.

/** @import { Part } from '../../types' */
/** @import { SavedTensors, SavedTokens } from '../messages' */
/** @import { Computation, Computed, Labels } from '../types' */

/**
 * Query, key, value, mask, options and tokens.
 * @param {Computation} computation
 * @returns {SavedTensors}
 */
export function tensorsOf({ part, labels, computed }) {
  const { query, key, value, bias: mask } = part;
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
 * All tokens, before hiding and merging.
 * @param {Part} part
 * @param {Labels} labels
 * @param {Computed} computed
 * @returns {SavedTokens}
 */
function tokensOf(part, { rows, columns }, computed) {
  const { x, causal, scale, bias } = part;
  // A bias cannot be reopened from a file: the weights are saved instead.
  const weights = bias ? { data: computed.stages.weights, dims: bias.dims } : part.weights;
  const ordered = part.ordered ?? rows === columns;
  return { rows, columns: columns === rows ? null : columns, x, weights, ordered, causal, scale };
}
