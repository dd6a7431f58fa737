// Parts of a model's run: queries, keys and values of every layer, with scale, softcap, mask and position bias from its
// description; the inputs of the projections and W_O where the weights are known.

import { repeatHeads } from '../sources/heads.js';
import { biasOf, biasOfSlopes, biasOfTerms } from './distance_bias.js';

/** @import { ModelResult, StackDescription, StackName } from 'attention-wasm/models' */
/** @import { VectorPart } from '../../types' */
/** @import { KnownWeights } from '../types' */
/** @import { RunAgain } from './blocked_run.js' */

/** Query heads may share keys and values: these are repeated on first use. */
function withTensors(part, { query, key, value }) {
  let many = null;
  const shared = () =>
    (many ??= { key: repeatHeads(key, part.heads), value: repeatHeads(value, part.heads) });
  return Object.defineProperties(part, {
    query: { value: query, enumerable: true },
    key: { get: () => shared().key, enumerable: true },
    value: { get: () => shared().value, enumerable: true },
  });
}

/**
 * v W_O of a layer, from another run: it is too large to be returned for every layer of every run.
 * @param {RunAgain} runAgain
 * @param {{ stack: StackName, layer: number }} layer
 */
async function transformedBy(runAgain, layer) {
  const { captured = [] } = await runAgain({
    logits: false,
    capture: [{ at: 'value_out', ...layer }],
  });
  return captured[0].tensor;
}

/**
 * @param {StackName} kind
 * @param {string} title
 * @param {StackDescription} stack
 * @param {ModelResult} result of run() with projections, captured positionTerms, and captures for known weights
 * @param {{ runAgain: RunAgain, known?: KnownWeights } & Pick<VectorPart, 'rows' | 'columns' | 'texts' | 'ordered' | 'note'>} more
 *   what differs from the reading's
 * @returns {VectorPart[]}
 */
export function partsOf(kind, title, stack, result, { runAgain, known, ...labels }) {
  const projections = result.projections?.[kind] ?? [];
  return projections.map((vectors, n) => {
    const { scale, softcap, relativePositions, positionTerms, slopes, window } = stack.layers[n];
    const { dims } = vectors.query;
    const isSelf = kind !== 'cross';
    const part = {
      kind: 'vectors',
      id: `${kind}.${n}`,
      name: `${title} ${n + 1}`,
      heads: dims[0],
      causal: isSelf && stack.causal,
      ...labels,
    };
    /** @type {[number, number]} */
    const size = [dims[1], vectors.key.dims[1]];
    return withTensors(
      {
        ...part,
        scale,
        ...(known
          ? known.fieldsOf(kind, n, result)
          : { x: null, transformed: () => transformedBy(runAgain, { stack: kind, layer: n }) }),
        ...(softcap && { softcap }),
        ...(isSelf && window && { window }),
        ...(isSelf && relativePositions && biasOf(relativePositions, size)),
        ...(isSelf && positionTerms && biasOfTerms(result.captured ?? [], n)),
        ...(isSelf && slopes && biasOfSlopes(slopes, size)),
      },
      vectors,
    );
  });
}
