// Parts of a model's run: queries, keys and values of every layer, with scale, softcap, mask and position bias from its
// description.

import { repeatHeads } from '../heads.js';
import { biasOf, biasOfSlopes, biasOfTerms } from './distance_bias.js';

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

/** v W_O of a layer, from another run: it is too large to be returned for every layer of every run. */
async function transformedBy(runAgain, layer) {
  const capture = [{ at: 'value_out', ...layer }];
  const { captured } = await runAgain({ logits: false, capture });
  return captured[0].tensor;
}

/**
 * @param {'self' | 'encoder' | 'decoder' | 'cross'} kind
 * @param {import('attention-wasm/models').StackDescription} stack
 * @param {import('attention-wasm/models').ModelResult} result of run() with projections, and captured positionTerms
 * @param {object} more { rows, columns, texts, ordered } that differ from the reading's; `runAgain` of the run
 * @returns {import('../../../types').Part[]}
 */
export function partsOf(kind, title, stack, result, { runAgain, ...labels }) {
  return result.projections[kind].map((vectors, n) => {
    const { scale, softcap, relativePositions, positionTerms, slopes, window } = stack.layers[n];
    const { dims } = vectors.query;
    const isSelf = kind !== 'cross';
    const part = {
      id: `${kind}.${n}`,
      name: `${title} ${n + 1}`,
      heads: dims[0],
      causal: isSelf && stack.causal,
      x: null,
      ...labels,
    };
    const size = [dims[1], vectors.key.dims[1]];
    return withTensors(
      {
        ...part,
        scale,
        transformed: () => transformedBy(runAgain, { stack: kind, layer: n }),
        ...(softcap && { softcap }),
        ...(isSelf && window && { window }),
        ...(isSelf && relativePositions && biasOf(relativePositions, size)),
        ...(isSelf && positionTerms && biasOfTerms(result.captured, n)),
        ...(isSelf && slopes && biasOfSlopes(slopes, size)),
      },
      vectors,
    );
  });
}
