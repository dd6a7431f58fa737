// The parameters of a TrainableTransformer in the order of the module, which draws their weights in it
// (src/training/training.cpp).

/**
 * @typedef {[name: string, dims: number[]]} Parameter
 * @typedef {{ vocabulary: number, width: number, layers: number, heads: number, hidden: number, context: number,
 *   hasEncoder: boolean, tied: boolean, scale?: number }} Sizes of a TrainableTransformer
 */

/** @type {(name: string, inDim: number, outDim: number) => Parameter[]} */
const linear = (name, inDim, outDim) => [
  [`${name}.weight`, [inDim, outDim]],
  [`${name}.bias`, [outDim]],
];
/** @type {(name: string, width: number) => Parameter[]} */
const norm = (name, width) => [
  [`${name}.weight`, [width]],
  [`${name}.bias`, [width]],
];

/** @returns {Parameter[]} */
function layer(prefix, { width, hidden }, hasCross) {
  const cross = [
    ...norm(`${prefix}cross.norm`, width),
    ...linear(`${prefix}cross.query`, width, width),
    ...linear(`${prefix}cross.keyValue`, width, 2 * width),
    ...linear(`${prefix}cross.output`, width, width),
  ];
  return [
    ...norm(`${prefix}self.norm`, width),
    ...linear(`${prefix}self.queryKeyValue`, width, 3 * width),
    ...linear(`${prefix}self.output`, width, width),
    ...(hasCross ? cross : []),
    ...norm(`${prefix}feedForward.norm`, width),
    ...linear(`${prefix}feedForward.up`, width, hidden),
    ...linear(`${prefix}feedForward.down`, hidden, width),
  ];
}

/** @returns {Parameter[]} */
function stack(
  /** @type {string} */ side,
  /** @type {Sizes} */ sizes,
  /** @type {boolean} */ hasCross,
) {
  const { width, context, layers, hasEncoder } = sizes;
  return [
    [`${side}.positions`, [context, width]],
    ...(hasEncoder ? norm(`${side}.embeddingNorm`, width) : []),
    ...Array.from({ length: layers }, (_, n) =>
      layer(`${side}.layers.${n}.`, sizes, hasCross),
    ).flat(),
    ...norm(`${side}.norm`, width),
  ];
}

/**
 * [name, dims] of each parameter.
 *
 * @returns {Parameter[]}
 */
export function parameterList(/** @type {Sizes} */ sizes) {
  const { vocabulary, width, hasEncoder, tied } = sizes;
  /** @type {Parameter} */
  const head = ['head', [vocabulary, width]];
  return [
    ['embedding', [vocabulary, width]],
    ...(hasEncoder ? stack('encoder', sizes, false) : []),
    ...stack('decoder', sizes, hasEncoder),
    ...(tied ? [] : [head]),
  ];
}
