// Builds layers from a plan: reads tensors layer by layer and releases them after use. If a step fails, everything built
// so far is deleted.
import { Embedding } from './embedding.js';
import { Head } from './head.js';
import { extractTensor, toFloat32, toStorage } from './weight_storage.js';
import { Stack } from './stack.js';
import { EmbeddingTable } from './embedding_table.js';

const isTensor = ({ name, dims }) => typeof name === 'string' && Array.isArray(dims);

/** Calls visit(tensor, key) for each planned tensor in a nested object. */
export function forEachTensor(planned, visit) {
  for (const [name, value] of Object.entries(planned ?? {})) {
    if (typeof value !== 'object' || value === null) continue;
    if (isTensor(value)) visit(value, name);
    else forEachTensor(value, visit);
  }
}

function mapped(planned, change) {
  const present = Object.entries(planned).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => [
      name,
      isTensor(value) || value.constant !== undefined ? change(value) : mapped(value, change),
    ]),
  );
}

const namesIn = (planned) => {
  const names = [];
  forEachTensor(planned, ({ name }) => names.push(name));
  return names;
};

/** What attentions add besides their heads, as float32: { self, cross? }, each { bias?, norm?: { weight, bias? }, scale? }. */
function outputVectorsOf({ self, cross, selfOutputNorm, selfOutputNormBias, selfScale }) {
  // Copied: read() reuses its memory.
  const copy = (tensor) => tensor && toFloat32(tensor).slice();
  const norm = selfOutputNorm && { weight: copy(selfOutputNorm), bias: copy(selfOutputNormBias) };
  return {
    self: { bias: copy(self.outputBias), norm, scale: copy(selfScale) },
    cross: { bias: copy(cross?.outputBias) },
  };
}

/** The options of TransformerLayer for those of a planned layer. */
function layerOptions({ rotary, ...options }) {
  if (!rotary) return options;
  const { width, theta, frequencies, factor, interleaved } = rotary;
  const turns = frequencies ? { frequencies } : { base: theta };
  return { ...options, rotary: { width, factor, interleaved, ...turns } };
}

export class ModelBuilder {
  #api;
  #weights;
  #storage;
  #tokenOf;
  #resources = [];
  #tables = new Map();
  #biasTables = new Map(); // relative position biases by tensor name
  #outputVectors = new Map(); // of attentions, by layer

  /** tokenOf: of EmbeddingTable.load(). */
  constructor(api, weights, { storage, tokenOf }) {
    this.#api = api;
    this.#weights = weights;
    this.#storage = storage;
    this.#tokenOf = tokenOf;
  }

  #track(resource) {
    this.#resources.push(resource);
    return resource;
  }

  /** An object of planned tensors, nested to any depth, as float32. */
  async #floats(planned) {
    const present = Object.fromEntries(Object.entries(planned).filter(([, value]) => value));
    const read = await this.#weights.read(namesIn(present));
    // Copied: read() reuses its memory.
    return mapped(present, ({ name, dims, offset = 0 }) => ({
      data: toFloat32(read.get(name)).map((x) => x + offset),
      dims,
    }));
  }

  async #table(planned) {
    let table = this.#tables.get(planned.name);
    if (!table) {
      table = this.#track(
        await EmbeddingTable.load(this.#api, planned, this.#weights, {
          storage: this.#storage,
          tokenOf: this.#tokenOf,
        }),
      );
      this.#tables.set(planned.name, table);
    }
    return table;
  }

  async #linear({ weight, bias }, inDim = weight.dims[1]) {
    const read = await this.#weights.read(namesIn({ weight, bias: bias ?? {} }));
    const matrix = { ...read.get(weight.name), dims: [weight.dims[0], inDim] };
    const fields = { weight: toStorage(this.#api, matrix, this.#storage) };
    if (bias) fields.bias = { data: toFloat32(read.get(bias.name)), dims: bias.dims };
    return this.#track(this.#api.Linear.fromTorch(fields));
  }

  /** The position vectors of a layer: rows of the table, normalized and projected. */
  async #positionVectors({ table, norm, key, query }, epsilon) {
    const rows = norm ? this.#api.layerNorm(table, { ...norm, epsilon }) : table;
    const project = async (weights) => {
      const linear = this.#api.Linear.fromTorch(weights);
      try {
        return await linear.forward(rows);
      } finally {
        linear.delete();
      }
    };
    return {
      ...(key && { positionKey: await project(key) }),
      ...(query && { positionQuery: await project(query) }),
    };
  }

  async #layer({ weights, positions, options }, inByOut) {
    const read = await this.#weights.read(namesIn({ weights, positions }));
    const numbersOf = (planned) => {
      const { constant, offset } = planned;
      if (constant !== undefined) {
        return { data: new Float32Array(planned.dims[0]).fill(constant), dims: planned.dims };
      }
      const tensor = extractTensor(read.get(planned.name), planned, this.#storage === 'int8');
      if (offset) {
        const { data, dims } = toStorage(this.#api, tensor, 'float32');
        return { data: data.map((x) => x + offset), dims };
      }
      if (!planned.isLookedUp) return toStorage(this.#api, tensor, this.#storage);
      const table = toStorage(this.#api, tensor, 'float32');
      // Copied: read() reuses its memory.
      this.#biasTables.set(planned.name, { data: table.data.slice(), dims: table.dims });
      return table;
    };
    const numbers = mapped(weights, numbersOf);
    if (positions) {
      const vectors = await this.#positionVectors(mapped(positions, numbersOf), options.epsilon);
      Object.assign(numbers.self, vectors);
    }
    const layout = inByOut && this.#storage !== 'int8' ? 'in × out' : 'out × in';
    const layer = this.#track(
      await this.#api.TransformerLayer.fromWeights(numbers, { ...layerOptions(options), layout }),
    );
    this.#outputVectors.set(layer, outputVectorsOf(numbers));
    return layer;
  }

  async stack(plan) {
    if (!plan) return undefined;
    const layersByPrefix = new Map();
    const layers = [];
    for (const layer of plan.layers) {
      // Layers that share their weights become one object.
      if (!layersByPrefix.has(layer.prefix))
        layersByPrefix.set(layer.prefix, await this.#layer(layer, plan.inByOut));
      layers.push(layersByPrefix.get(layer.prefix));
    }
    const norm = plan.norm && (await this.#floats(plan.norm));
    const outputVectors = layers.map((layer) => this.#outputVectors.get(layer));
    const projectOut = await this.linear(plan.projectOut);
    return new Stack(this.#api, plan, layers, { norm, outputVectors, projectOut });
  }

  async embedding(plan, epsilon) {
    const { words, positions, types, norm, project } = plan;
    const read = await this.#floats({
      positions: positions?.table,
      types: types?.table,
      norm,
    });
    return new Embedding(this.#api, plan, {
      words: await this.#table(words),
      vectors: { ...read, norm: norm && { ...read.norm, epsilon } },
      project: project && (await this.#linear(project)),
    });
  }

  /** { ImageEmbedding }: exports of image_embedding.js. */
  async imageEmbedding(plan, { ImageEmbedding }) {
    const { first, positions, weight, bias, channels, patch } = plan;
    const vectors = await this.#floats({ first, positions });
    const length = channels * patch[0] * patch[1];
    const read = await this.#weights.read([weight.name, bias.name]);
    const matrix = { ...read.get(weight.name), dims: [weight.dims[0], length] };
    const projection = this.#api.Linear.fromTorch({
      weight: toStorage(this.#api, matrix, this.#storage),
      bias: { data: toFloat32(read.get(bias.name)), dims: bias.dims },
    });
    return new ImageEmbedding(plan, vectors, this.#track(projection));
  }

  linear(planned) {
    return planned && this.#linear(planned);
  }

  async head(plan) {
    if (!plan) return undefined;
    const steps = [];
    for (const step of plan.steps) {
      if (step.linear) steps.push({ linear: await this.#linear(step.linear) });
      else if (step.norm) steps.push({ ...step, norm: await this.#floats(step.norm) });
      else if (step.words) {
        const { bias } = await this.#floats({ bias: step.bias });
        steps.push({ ...step, bias, words: await this.#table(step.words) });
      } else steps.push(step);
    }
    return new Head(this.#api, plan, steps);
  }

  /** The relative position biases of a layer built before: { name, data, dims }. */
  biasTable(planned) {
    return planned && { name: planned.name, ...this.#biasTables.get(planned.name) };
  }

  /** A function that deletes everything built; reason: the error of later calls of a pool. It does not reference the builder, so that tensors read can be collected. */
  get free() {
    const all = this.#resources;
    const api = this.#api;
    return (reason) => {
      for (const resource of all.splice(0)) resource.delete();
      api.end?.(reason);
    };
  }
}
