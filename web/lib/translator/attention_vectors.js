// Inputs of each attention of the translator after the norm, with queries, keys and values.

const add = (a, b) => ({ data: a.data.map((x, at) => x + b.data[at]), dims: a.dims });

/** The vectors of one attention; projections get a batch axis of 1, the layout of attention(). */
const vectorsOf = (x, context, projection) => ({
  x,
  context,
  ...Object.fromEntries(
    Object.entries(projection).map(([name, { data, dims }]) => [
      name,
      { data, dims: [1, ...dims] },
    ]),
  ),
});

export class Vectors {
  #api;
  #tensors;
  #heads;
  #attentions = new Map(); // self-attentions of the decoder, created on first use

  constructor(api, tensors, heads) {
    this.#api = api;
    this.#tensors = tensors;
    this.#heads = heads;
  }

  #norm(x, name) {
    return this.#api.layerNorm(x, {
      weight: this.#tensors.get(`${name}.weight`),
      bias: this.#tensors.get(`${name}.bias`),
    });
  }

  /** x plus its self-attention (the residual connection). */
  #addAttention(x, normed, layer) {
    if (!this.#attentions.has(layer)) {
      const { MultiHeadAttention } = this.#api;
      const options = { heads: this.#heads, prefix: `${layer}.self_attn.` };
      this.#attentions.set(layer, MultiHeadAttention.fromTorch(this.#tensors, options));
    }
    return add(x, this.#attentions.get(layer).forward(normed, null, { causal: true }).output);
  }

  /** From the encoder's result with `hiddenStates` and `projections`. */
  ofEncoder({ hiddenStates, projections }) {
    return projections.map((projection, n) => {
      const x = this.#norm(hiddenStates[n], `encoder.layers.${n}.norm1`);
      return vectorsOf(x, x, projection);
    });
  }

  /** From the decoder's result; memory: the encoder's output. */
  ofDecoder({ hiddenStates, projections, crossProjections }, memory) {
    const vectors = { decoder: [], cross: [] };
    projections.forEach((projection, n) => {
      const layer = `decoder.layers.${n}`;
      const x = this.#norm(hiddenStates[n], `${layer}.norm1`);
      vectors.decoder.push(vectorsOf(x, x, projection));
      const between = this.#norm(this.#addAttention(hiddenStates[n], x, layer), `${layer}.norm2`);
      vectors.cross.push(vectorsOf(between, memory, crossProjections[n]));
    });
    return vectors;
  }

  delete() {
    for (const attention of this.#attentions.values()) attention.delete();
  }
}
