// The attentions of a run as parts: queries, keys and values of every layer, and what its config says that is done with
// them.

import { repeatHeads } from '../heads.js';
import { biasOf } from './distance_bias.js';

/** Heads of queries may share keys and values: made as many when somebody looks. */
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

/** Of one layer: { scale?, window? } as its family says. */
function rulesOf(stack, n) {
  const { options = {}, optionsOf, windowOf } = stack;
  return { ...options, ...optionsOf?.(n), window: windowOf?.(n) };
}

/**
 * @param {'self' | 'encoder' | 'decoder' | 'cross'} kind
 * @param {object} stack of the family's description
 * @param {import('attention-wasm/models').ModelResult} result of run() with projections
 * @param {object} labels { rows, columns, texts, ordered } where they are not the reading's
 * @returns {import('../../../types').Part[]}
 */
export function partsOf(kind, title, stack, { projections }, labels) {
  return projections[kind].map((vectors, n) => {
    const { scale, relativePositions, window } = rulesOf(stack, n);
    const { dims } = vectors.query;
    const isSelf = kind !== 'cross';
    const part = {
      id: `${kind}.${n}`,
      name: `${title} ${n + 1}`,
      heads: dims[0],
      causal: isSelf && stack.causal === true,
      x: null,
      ...labels,
    };
    const size = [dims[1], vectors.key.dims[1]];
    return withTensors(
      {
        ...part,
        scale: scale ?? 1 / Math.sqrt(dims[2]),
        ...(isSelf && window && { window }),
        ...(isSelf && relativePositions && biasOf(stack.distances, relativePositions, size)),
      },
      vectors,
    );
  });
}
