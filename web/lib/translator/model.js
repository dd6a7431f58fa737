// The Transformer: an encoder and a decoder of layers with the norm before each part, one table that
// embeds tokens and gives logits. Names of the weights as PyTorch's nn.Transformer has them.
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

const countOf = (tensors, stack) => {
  const numbers = [...tensors.keys()]
    .filter((name) => name.startsWith(`${stack}.layers.`))
    .map((name) => Number(name.split('.')[2]));
  return Math.max(...numbers) + 1;
};

const add = (a, b) => ({ data: a.data.map((x, at) => x + b.data[at]), dims: a.dims });

/** Rows of several sequences of one length, one after another. */
const repeated = ({ data, dims: [rows, width] }, times) => {
  const all = new Float32Array(times * data.length);
  for (let n = 0; n < times; n++) all.set(data, n * data.length);
  return { data: all, dims: [times, rows, width] };
};

export class Model {
  #api;
  #tensors;
  #table;
  #scale;
  #positions = { data: new Float32Array(0), dims: [0, 0] };
  #encoder;
  #decoder;
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
    this.#encoder = layers('encoder', api.TransformerEncoderLayer);
    this.#decoder = layers('decoder', api.TransformerDecoderLayer);
    this.#logits = api.Linear.fromTorch({ weight: this.#table });
  }

  #norm(x, name) {
    return this.#api.layerNorm(x, {
      weight: this.#tensors.get(`${name}.weight`),
      bias: this.#tensors.get(`${name}.bias`),
    });
  }

  /** Token ids as vectors with their positions: rows × dim, or batch × rows × dim of several lists. */
  #embed(lists) {
    const rows = lists[0].length;
    if (this.#positions.dims[0] < rows) {
      this.#positions = this.#api.sinusoidalPositions(2 * rows, this.dim);
    }
    const { data, dims } = this.#api.embed(
      { data: lists.flat(), dims: [lists.length, rows] },
      this.#table,
    );
    const size = rows * this.dim;
    const position = this.#positions.data;
    return {
      data: data.map((x, at) => Math.fround(x * this.#scale) + position[at % size]),
      dims: lists.length === 1 ? dims.slice(1) : dims,
    };
  }

  /** Source ids → { memory, inputs, weights }: what each layer was given, and its weights if wanted. */
  encode(ids, wantsWeights = false) {
    let x = this.#embed([ids]);
    const inputs = [];
    const weights = [];
    for (const layer of this.#encoder) {
      inputs.push(x);
      const result = layer.forward(x, { weights: wantsWeights });
      x = result.output;
      if (wantsWeights) weights.push(result.weights);
    }
    return { memory: this.#norm(x, 'encoder.norm'), inputs, weights };
  }

  /** Keys and values of the memory for so many sequences side by side; to be deleted. */
  project(memory, sequences) {
    const all = sequences === 1 ? memory : repeated(memory, sequences);
    return this.#decoder.map((layer) => layer.projectMemory(all));
  }

  /** Lists of target ids, alike in length, → { output, inputs, weights, crossWeights }. */
  decode(lists, projected, wantsWeights = false) {
    let x = this.#embed(lists);
    const inputs = [];
    const weights = [];
    const crossWeights = [];
    this.#decoder.forEach((layer, n) => {
      inputs.push(x);
      const result = layer.forward(x, projected[n], { causal: true, weights: wantsWeights });
      x = result.output;
      if (wantsWeights) {
        weights.push(result.weights);
        crossWeights.push(result.crossWeights);
      }
    });
    return { output: this.#norm(x, 'decoder.norm'), inputs, weights, crossWeights };
  }

  /** Of what decode() gave, for each row, or for the last row of each sequence: rows × vocabulary. */
  logits({ data, dims }, onlyLast = false) {
    const rows = dims.at(-2);
    const width = dims.at(-1);
    if (!onlyLast) return this.#logits.forward({ data, dims: [data.length / width, width] });
    const sequences = data.length / (rows * width);
    const last = new Float32Array(sequences * width);
    for (let n = 0; n < sequences; n++) {
      last.set(data.subarray(((n + 1) * rows - 1) * width, (n + 1) * rows * width), n * width);
    }
    return this.#logits.forward({ data: last, dims: [sequences, width] });
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
      ...this.#encoder,
      ...this.#decoder,
      this.#logits,
      ...this.#attentions.values(),
    ]) {
      made.delete();
    }
  }
}

export const withEnd = (ids) => [...ids, specialTokens.end];
export const withStart = (ids) => [specialTokens.start, ...ids];
