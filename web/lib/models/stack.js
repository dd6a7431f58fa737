// A stack of layers and its final norm, which also returns requested intermediate tensors.

/** Removes the batch axis of size 1 that some results have. */
const ofOne = (tensor) =>
  tensor && tensor.dims.length === 4 ? { data: tensor.data, dims: tensor.dims.slice(1) } : tensor;

const vectorsOf = (result, [query, key, value]) => ({
  query: ofOne(result[query]),
  key: ofOne(result[key]),
  value: ofOne(result[value]),
});

export class Stack {
  #api;
  #plan;
  #layers;
  #norm;

  /** layers: a TransformerLayer per layer of the plan; norm: weights of the final norm, float32. */
  constructor(api, plan, layers, norm) {
    this.#api = api;
    this.#plan = plan;
    this.#layers = layers;
    this.#norm = norm;
  }

  get length() {
    return this.#layers.length;
  }

  #normed(x) {
    const { norm, options } = this.#plan;
    if (!norm) return x;
    const { epsilon } = options;
    return options.norm === 'rms'
      ? this.#api.rmsNorm(x, { ...this.#norm, epsilon })
      : this.#api.layerNorm(x, { ...this.#norm, epsilon });
  }

  /** An empty cache per layer for `batch` texts; the caller deletes them. */
  createCaches(capacity, batch) {
    return madeOfEach(this.#layers, (layer) => layer.createCache({ capacity, batch }));
  }

  /** Keys and values of the encoder's output per layer; the caller deletes them. */
  projectMemory(memory) {
    return madeOfEach(this.#layers, (layer) => layer.projectMemory(memory));
  }

  /**
   * x: n × width. memory: the encoder's output, or the result of projectMemory().
   * attentions: a function from a layer index to true, 'average' or false.
   */
  run(x, { memory, caches, attentions = () => false, hiddenStates, projections } = {}) {
    const returned = {
      hiddenStates: [],
      attentions: [],
      cross: [],
      projections: [],
      crossProjections: [],
    };
    let rows = x;
    this.#layers.forEach((layer, n) => {
      if (hiddenStates) returned.hiddenStates.push(rows);
      const weights = attentions(n);
      const { window } = this.#plan.layers[n];
      const result = layer.forward(rows, {
        causal: this.#plan.causal,
        window,
        weights,
        projections,
        memory: Array.isArray(memory) ? memory[n] : memory,
        cache: caches?.[n],
      });
      rows = result.output;
      if (weights) returned.attentions.push(result.weights);
      if (weights && memory) returned.cross.push(result.crossWeights);
      if (!projections) return;
      returned.projections.push(vectorsOf(result, ['query', 'key', 'value']));
      if (memory) {
        returned.crossProjections.push(vectorsOf(result, ['crossQuery', 'crossKey', 'crossValue']));
      }
    });
    const hidden = this.#normed(rows);
    if (hiddenStates) returned.hiddenStates.push(hidden);
    return { hidden, ...returned };
  }
}

/** make(layer) for each layer; if one fails, those before it are deleted. */
function madeOfEach(layers, make) {
  const made = [];
  try {
    for (const layer of layers) made.push(make(layer));
    return made;
  } catch (error) {
    for (const one of made) one.delete();
    throw error;
  }
}
