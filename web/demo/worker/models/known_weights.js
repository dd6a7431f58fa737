// What follows from weights of nn.Transformer that are in memory by their names: the norms, with which the input x of each
// attention follows from the residual stream, and W_O. The norms are before attention and feed-forward.

import { outputOf } from './projections.js';

/** @import { AttentionApi, Tensor } from 'attention-wasm' */
/** @import { ModelResult, StackName } from 'attention-wasm/models' */
/** @import { Projection } from '../../types' */
/** @import { KnownWeights } from '../types' */
/** @import { Tensors } from './projections.js' */

/** @type {Record<string, (layer: number) => string>} */
const attentions = {
  encoder: (layer) => `encoder.layers.${layer}.self_attn.`,
  decoder: (layer) => `decoder.layers.${layer}.self_attn.`,
  cross: (layer) => `decoder.layers.${layer}.multihead_attn.`,
};

/** @type {(stack: string) => ('resid_pre' | 'attn_out')[]} */
const pointsOf = (stack) => (stack === 'decoder' ? ['resid_pre', 'attn_out'] : ['resid_pre']);

/** @type {(a: Tensor, b: Tensor) => Tensor} */
const sum = (a, b) => ({ data: a.data.map((number, at) => number + b.data[at]), dims: a.dims });

/**
 * @param {AttentionApi} api
 * @param {Tensors} tensors
 * @returns {KnownWeights}
 */
export function createKnownWeights(api, tensors) {
  /** @type {Map<string, Projection>} */
  const projections = new Map();
  /** @type {(x: Tensor, stack: string, layer: number, name: string) => Tensor} */
  const normalized = (x, stack, layer, name) => {
    const at = `${stack}.layers.${layer}.${name}`;
    const [weight, bias] = ['weight', 'bias'].map(
      (end) => /** @type {Tensor} */ (tensors.get(`${at}.${end}`)),
    );
    return api.layerNorm(x, { weight, bias });
  };

  /**
   * Inputs of queries, and of keys and values.
   * @type {(kind: StackName, layer: number, result: ModelResult) => { rows: Tensor, columns: Tensor }}
   */
  function inputsOf(kind, layer, { captured = [], encoderHidden }) {
    const stack = kind === 'cross' ? 'decoder' : kind;
    /** @param {string} at */
    const capturedAt = (at) =>
      /** @type {{ tensor: Tensor }} */ (
        captured.find((one) => one.at === at && one.stack === stack && one.layer === layer)
      ).tensor;
    const before = capturedAt('resid_pre');
    if (kind !== 'cross') {
      const x = normalized(before, stack, layer, 'norm1');
      return { rows: x, columns: x };
    }
    const rows = normalized(sum(before, capturedAt('attn_out')), stack, layer, 'norm2');
    return { rows, columns: /** @type {Tensor} */ (encoderHidden) };
  }

  /** @type {(kind: StackName, layer: number) => Projection} */
  function projectionOf(kind, layer) {
    const prefix = attentions[kind](layer);
    const projection = projections.get(prefix) ?? outputOf(tensors, prefix);
    projections.set(prefix, projection);
    return projection;
  }

  return {
    captures: (stacks) =>
      stacks.flatMap((stack) => pointsOf(stack).map((at) => /** @type {const} */ ({ at, stack }))),
    fieldsOf: (kind, layer, result) => ({
      x: inputsOf(kind, layer, result),
      projection: () => projectionOf(kind, layer),
    }),
    norm: (stack, layer, name) => (x) =>
      normalized({ data: x, dims: [1, x.length] }, stack, layer, name).data,
  };
}
