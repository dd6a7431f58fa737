// The Transformer: an encoder and a decoder of layers with the norm before each part, one table that
// embeds tokens and gives logits. Names of the weights as PyTorch's nn.Transformer has them.
import { Branches } from './branches.js';
import { specialTokens } from './tokens.js';

const scalesOf = (name) => `${name}.scales`;

/** Tensors of a file as layers take them: int8 with the scales of their rows. */
function readTensors(file) {
  const tensors = new Map();
  for (const [name, { data, dims }] of file.tensors) {
    if (name.endsWith('.scales')) continue;
    const scales = file.tensors.get(scalesOf(name))?.data;
    tensors.set(name, scales ? { data, dims, scales } : { data, dims });
  }
  return tensors;
}

const countOf = (tensors, stack) =>
  [...tensors.keys()].filter((name) => name.startsWith(stack) && name.endsWith('.norm1.weight'))
    .length;

const add = (a, b) => ({ data: a.data.map((x, at) => x + b.data[at]), dims: a.dims });

export class Model {
  #api;
  #tensors;
  #table;
  #scale;
  #positions = { data: new Float32Array(0), dims: [0, 0] };
  #stacks;
  #logits;
  #attentions = new Map(); // of parts, made when somebody asks for their vectors

  /**
   * @param {object} api of loadAttention()
   * @param {{ tensors: Map<string, object>, metadata: Map<string, string> }} file
   */
  constructor(api, file) {
    this.#api = api;
    this.#tensors = readTensors(file);
    this.heads = Number(file.metadata.get('heads'));
    this.#table = this.#tensors.get('embedding.weight');
    this.dim = this.#table.dims[1];
    this.#scale = Math.sqrt(this.dim);
    const layers = (stack, Layer) =>
      Array.from({ length: countOf(this.#tensors, stack) }, (_, n) =>
        Layer.fromTorch(this.#tensors, {
          heads: this.heads,
          prefix: `${stack}.layers.${n}.`,
          normFirst: true,
        }),
      );
    this.#stacks = {
      encoder: layers('encoder', api.TransformerEncoderLayer),
      decoder: layers('decoder', api.TransformerDecoderLayer),
    };
    this.#logits = api.Linear.fromTorch({ weight: this.#table });
  }

  /** A Map of its own: what is done to it changes nothing here. */
  get tensors() {
    return new Map(this.#tensors);
  }

  #norm(x, name) {
    return this.#api.layerNorm(x, {
      weight: this.#tensors.get(`${name}.weight`),
      bias: this.#tensors.get(`${name}.bias`),
    });
  }

  /** Token ids as vectors with their positions, rows × dim; or all of them at one position. */
  #embed(ids, position) {
    const rows = ids.length;
    const needed = position === undefined ? rows : position + 1;
    if (this.#positions.dims[0] < needed) {
      this.#positions = this.#api.sinusoidalPositions(2 * needed, this.dim);
    }
    const { data, dims } = this.#api.embed({ data: ids, dims: [rows] }, this.#table);
    const positions = this.#positions.data;
    const place = (at) =>
      position === undefined ? positions[at] : positions[position * this.dim + (at % this.dim)];
    return { data: data.map((x, at) => Math.fround(x * this.#scale) + place(at)), dims };
  }

  /** Rows through a stack and its norm, with what each layer was given and weighed; given(n): the rest of its arguments. */
  #run(name, x, given) {
    const layers = this.#stacks[name];
    const inputs = [];
    const weights = [];
    const crossWeights = [];
    layers.forEach((layer, n) => {
      inputs.push(x);
      const result = layer.forward(x, ...given(n));
      x = result.output;
      weights.push(result.weights);
      crossWeights.push(result.crossWeights);
    });
    return { output: this.#norm(x, `${name}.norm`), inputs, weights, crossWeights };
  }

  /** Source ids → { output, inputs, weights }: what a decoder attends to, what each layer was given, its weights if wanted. */
  encode(ids, weights) {
    return this.#run('encoder', this.#embed(ids), () => [{ weights }]);
  }

  /** Keys and values of the memory for each layer of the decoder; to be deleted. */
  project(memory) {
    return this.#stacks.decoder.map((layer) => layer.projectMemory(memory));
  }

  /** Sentences that grow side by side over a memory; to be deleted. See branches.js. */
  branches(memory, capacity) {
    const projected = this.project(memory);
    const caches = this.#stacks.decoder.map((layer) => layer.createCache({ capacity }));
    return new Branches([...projected, ...caches], (ids, position, mask) => {
      const given = (n) => [projected[n], { cache: caches[n], mask }];
      return this.logits(this.#run('decoder', this.#embed(ids, position), given).output);
    });
  }

  /** Target ids → { output, inputs, weights, crossWeights }. */
  decode(ids, projected, weights) {
    return this.#run('decoder', this.#embed(ids), (n) => [projected[n], { causal: true, weights }]);
  }

  /** Of what decode() gave, for each row: rows × vocabulary. */
  logits(output) {
    return this.#logits.forward(output);
  }

  /** The logits of what follows target ids. */
  nextLogits(ids, projected) {
    const { data } = this.decode(ids, projected).output;
    return this.logits({ data: data.subarray(-this.dim), dims: [1, this.dim] }).data;
  }

  #attention(name) {
    if (!this.#attentions.has(name)) {
      const made = this.#api.MultiHeadAttention.fromTorch(this.#tensors, {
        heads: this.heads,
        prefix: `${name}.`,
      });
      this.#attentions.set(name, made);
    }
    return this.#attentions.get(name);
  }

  /** What one attention is made of: { x, context, query, key, value }. */
  #vectors(name, x, context) {
    return { x, context: context ?? x, ...this.#attention(name).project(x, context) };
  }

  encoderVectors({ inputs }) {
    return inputs.map((x, n) => {
      const layer = `encoder.layers.${n}`;
      return this.#vectors(`${layer}.self_attn`, this.#norm(x, `${layer}.norm1`));
    });
  }

  decoderVectors({ inputs }, memory) {
    const vectors = { decoder: [], cross: [] };
    inputs.forEach((x, n) => {
      const layer = `decoder.layers.${n}`;
      const normed = this.#norm(x, `${layer}.norm1`);
      vectors.decoder.push(this.#vectors(`${layer}.self_attn`, normed));
      const { output } = this.#attention(`${layer}.self_attn`).forward(normed, null, {
        causal: true,
      });
      const between = this.#norm(add(x, output), `${layer}.norm2`);
      vectors.cross.push(this.#vectors(`${layer}.multihead_attn`, between, memory));
    });
    return vectors;
  }

  delete() {
    for (const made of [
      ...Object.values(this.#stacks).flat(),
      this.#logits,
      ...this.#attentions.values(),
    ]) {
      made.delete();
    }
  }
}

export const withEnd = (ids) => [...ids, specialTokens.end];
export const withStart = (ids) => [specialTokens.start, ...ids];
