// A stack of layers and its final norm, which also returns requested intermediate tensors.

/** Removes the batch axis of size 1 that some results have. */
const ofOne = (tensor) =>
  tensor && tensor.dims.length === 4 ? { data: tensor.data, dims: tensor.dims.slice(1) } : tensor;

const vectorsOf = (result, [query, key, value]) => ({
  query: ofOne(result[query]),
  key: ofOne(result[key]),
  value: ofOne(result[value]),
});

/**
 * @import { LayerInterventions } from '../inside/interventions.js'
 * @import { Matrix } from './vector_rows.js'
 * @typedef {true | false | 'average'} Attentions whether attention is returned: of each head, not at all, or averaged
 */

/**
 * @typedef {object} RunOptions
 * @property {Matrix | object[]} [memory] the encoder's output, or the result of projectMemory()
 * @property {object[]} [caches] a KeyValueCache per layer
 * @property {(layer: number) => Attentions} [attentions]
 * @property {(layer: number) => LayerInterventions} [interventions] see Interventions.ofCalls()
 * @property {number} [first] the first layer to compute, whose input is x
 * @property {boolean} [hiddenStates]
 * @property {boolean} [projections]
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} RunResults
 * @property {object[]} captured
 * @property {Matrix[]} hiddenStates the input of each layer, and the output of the stack
 * @property {Matrix[]} attentions of layers that return them
 * @property {Matrix[]} cross
 * @property {Record<'query' | 'key' | 'value', Matrix>[]} projections
 * @property {Record<'query' | 'key' | 'value', Matrix>[]} crossProjections
 */

export class Stack {
  #api;
  #plan;
  #layers;
  #norm;
  #outputVectors;
  #projectOut;

  /**
   * layers: a TransformerLayer per layer of the plan; norm: weights of the final norm, float32; outputVectors: see
   * outputVectorsOf(), per layer; projectOut: a Linear, after the final norm.
   */
  constructor(api, plan, layers, { norm, outputVectors, projectOut }) {
    this.#api = api;
    this.#plan = plan;
    this.#layers = layers;
    this.#norm = norm;
    this.#outputVectors = outputVectors;
    this.#projectOut = projectOut;
  }

  get length() {
    return this.#layers.length;
  }

  /**
   * Sizes of the axes of hook points (see hook_points.js), the number of layers, whether their blocks are parallel, and the
   * terms of their scores.
   */
  get sizes() {
    const { heads, kvHeads, keyDim, width, options } = this.#plan;
    const axes = { head: heads, kvHead: kvHeads, dim: keyDim, width };
    const { terms = [] } = this.#plan;
    return { ...axes, layers: this.length, isParallel: options.parallel, terms };
  }

  /** Facts that decide whether the residual stream is a sum of what layers add. */
  get structure() {
    const { options, projectOut } = this.#plan;
    return { normFirst: options.normFirst, isProjected: projectOut !== undefined };
  }

  /** The final norm: { norm, epsilon, weight?, bias? }, without weight if there is none. */
  get finalNorm() {
    const { norm, options } = this.#plan;
    const { weight, bias } = norm ? this.#norm : {};
    const { epsilon } = options;
    return { norm: options.norm, epsilon, weight: weight?.data, bias: bias?.data };
  }

  /** The vectors of a layer's self- or cross-attention: see outputVectorsOf(). */
  outputVectors(layer, isCross) {
    return this.#outputVectors[layer][isCross ? 'cross' : 'self'];
  }

  /** The final norm of x and the projection after it; x itself if the stack has neither. */
  normed(x) {
    const { norm, options } = this.#plan;
    const { epsilon } = options;
    if (this.#projectOut) return this.#projectOut.forward(norm ? this.#normOf(x, epsilon) : x);
    return norm ? this.#normOf(x, epsilon) : x;
  }

  #normOf(x, epsilon) {
    const { options } = this.#plan;
    return options.norm === 'rms'
      ? this.#api.rmsNorm(x, { ...this.#norm, epsilon })
      : this.#api.layerNorm(x, { ...this.#norm, epsilon });
  }

  /** An empty cache per layer for `batch` texts; the caller deletes them. */
  createCaches(capacity, batch) {
    return madeOfEach(this.#layers, (layer) => layer.createCache({ capacity, batch }));
  }

  /** Keys and values of the encoder's output per layer; the caller deletes them. */
  projectMemory(memory, interventions) {
    const { projectMemory = projectHere } = this.#api;
    return madeOfEach(this.#layers, (layer, n) =>
      projectMemory(layer, memory, interventions?.ofMemory(n)),
    );
  }

  /**
   * In steps. x: n × width.
   *
   * @param {Matrix} x
   * @param {RunOptions} options
   */
  *run(x, { memory, caches, attentions = () => false, interventions, ...options } = {}) {
    const { first = 0, hiddenStates, projections, signal } = options;
    /** @type {RunResults} */
    const returned = {
      captured: [],
      hiddenStates: [],
      attentions: [],
      cross: [],
      projections: [],
      crossProjections: [],
    };
    const { causal, layers: planned } = this.#plan;
    const layers = first > 0 ? this.#layers.slice(first) : this.#layers;
    const calls = layers.map((_, at) => ({
      ...{ causal, ...planned[first + at].call, projections },
      weights: attentions(first + at),
      memory: Array.isArray(memory) ? memory[first + at] : memory,
      cache: caches?.[first + at],
    }));
    const ofLayers = interventions && layers.map((_, at) => interventions(first + at));
    const { forwardLayers = forwardInTurn } = this.#api;
    const results = yield forwardLayers(layers, x, calls, { hiddenStates, ofLayers, signal });
    let rows = x;
    for (const [n, result] of results.entries()) {
      returned.hiddenStates.push(rows);
      rows = result.output;
      if (result.captured) {
        returned.captured.push(...(ofLayers?.[n].captured(first + n, result.captured) ?? []));
      }
      if (result.weights) returned.attentions.push(result.weights);
      if (result.crossWeights) returned.cross.push(result.crossWeights);
      if (result.query) {
        returned.projections.push(vectorsOf(result, ['query', 'key', 'value']));
      }
      if (result.crossQuery) {
        returned.crossProjections.push(vectorsOf(result, ['crossQuery', 'crossKey', 'crossValue']));
      }
    }
    const hidden = this.normed(rows);
    returned.hiddenStates.push(hidden);
    return { hidden, ...returned };
  }
}

const projectHere = (layer, memory, edits) => layer.projectMemory(memory, edits?.options());

/** The results of all layers, each with the output of the one before as its input. */
function forwardInTurn(layers, x, calls, { ofLayers }) {
  let rows = x;
  return layers.map((layer, n) => {
    const call = ofLayers ? { ...calls[n], ...ofLayers[n].options() } : calls[n];
    const result = layer.forward(rows, call);
    rows = result.output;
    return result;
  });
}

/** make(layer, n) for each layer; if one fails, those before it are deleted. */
function madeOfEach(layers, make) {
  const made = [];
  try {
    for (const [n, layer] of layers.entries()) made.push(make(layer, n));
    return made;
  } catch (error) {
    for (const one of made) one.delete();
    throw error;
  }
}
