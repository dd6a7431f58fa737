// A stack of layers: what comes in goes through each and through the last norm; on the way, what was asked for is kept.

/** heads × rows × columns → the same without the batch that some results have. */
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

  /** layers: a TransformerLayer for each of the plan; norm: its weights as float32. */
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

  /** For each layer an empty cache, with room for `batch` texts side by side; to be deleted. */
  createCaches(capacity, batch) {
    return madeOfEach(this.#layers, (layer) => layer.createCache({ capacity, batch }));
  }

  /** For each layer the keys and values of the memory; to be deleted. */
  projectMemory(memory) {
    return madeOfEach(this.#layers, (layer) => layer.projectMemory(memory));
  }

  /**
   * x: n × width. memory: one for all layers, or what projectMemory() gave.
   * attentions: n → true, 'average' or false for layer n.
   */
  run(x, { memory, caches, attentions = () => false, hiddenStates, projections } = {}) {
    const kept = {
      hiddenStates: [],
      attentions: [],
      cross: [],
      projections: [],
      crossProjections: [],
    };
    let rows = x;
    this.#layers.forEach((layer, n) => {
      if (hiddenStates) kept.hiddenStates.push(rows);
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
      if (weights) kept.attentions.push(result.weights);
      if (weights && memory) kept.cross.push(result.crossWeights);
      if (!projections) return;
      kept.projections.push(vectorsOf(result, ['query', 'key', 'value']));
      if (memory) {
        kept.crossProjections.push(vectorsOf(result, ['crossQuery', 'crossKey', 'crossValue']));
      }
    });
    const hidden = this.#normed(rows);
    if (hiddenStates) kept.hiddenStates.push(hidden);
    return { hidden, ...kept };
  }
}

/** One of each; if one cannot be made, those before it are deleted. */
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
