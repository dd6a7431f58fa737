// From a plan to what computes: tensors are read layer by layer, made into blocks, and let go. Whatever was made is
// deleted if something cannot be.
import { Embedding } from './embedding.js';
import { Head } from './head.js';
import { floatsOf, kept, shaped } from './kept_numbers.js';
import { Stack } from './stack.js';
import { WordTable } from './word_table.js';

const isTensor = ({ name, dims }) => typeof name === 'string' && Array.isArray(dims);

/** Calls `visit` for each planned tensor within, with the object and the name it has there. */
export function eachTensor(planned, visit) {
  for (const [name, value] of Object.entries(planned ?? {})) {
    if (typeof value !== 'object' || value === null) continue;
    if (isTensor(value)) visit(value, name);
    else eachTensor(value, visit);
  }
}

function mapped(planned, change) {
  return Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [
      name,
      isTensor(value) ? change(value) : mapped(value, change),
    ]),
  );
}

const namesIn = (planned) => {
  const names = [];
  eachTensor(planned, ({ name }) => names.push(name));
  return names;
};

export class ModelBuilder {
  #api;
  #weights;
  #how;
  #made = [];
  #tables = new Map();

  constructor(api, weights, how) {
    this.#api = api;
    this.#weights = weights;
    this.#how = how;
  }

  #keep(made) {
    this.#made.push(made);
    return made;
  }

  /** Planned tensors, however nested, as float32. */
  async #floats(planned) {
    const present = Object.fromEntries(Object.entries(planned).filter(([, value]) => value));
    const read = await this.#weights.read(namesIn(present));
    // Copied: what was read is lent.
    return mapped(present, ({ name, dims }) => ({ data: floatsOf(read.get(name)).slice(), dims }));
  }

  async #table(planned) {
    let table = this.#tables.get(planned.name);
    if (!table) {
      table = this.#keep(await WordTable.load(this.#api, planned, this.#weights, this.#how));
      this.#tables.set(planned.name, table);
    }
    return table;
  }

  async #linear({ weight, bias }, inDim = weight.dims[1]) {
    const read = await this.#weights.read(namesIn({ weight, bias: bias ?? {} }));
    const matrix = { ...read.get(weight.name), dims: [weight.dims[0], inDim] };
    const fields = { weight: kept(matrix, this.#how) };
    if (bias) fields.bias = { data: floatsOf(read.get(bias.name)), dims: bias.dims };
    return this.#keep(this.#api.Linear.fromTorch(fields));
  }

  async #layer({ weights, options }, stack) {
    const read = await this.#weights.read(namesIn(weights));
    const numbers = mapped(weights, (planned) => {
      const heads = planned.part?.ofEachHead ? stack.heads : 1;
      const turns = this.#how === 'int8';
      return kept(
        shaped(read.get(planned.name), planned, { heads, turns }),
        planned.isLookedUp ? 'float32' : this.#how,
      );
    });
    const layout = stack.inByOut && this.#how !== 'int8' ? 'in × out' : 'out × in';
    return this.#keep(this.#api.TransformerLayer.fromWeights(numbers, { ...options, layout }));
  }

  async stack(plan) {
    if (!plan) return undefined;
    const byPlace = new Map();
    const layers = [];
    for (const layer of plan.layers) {
      // Layers that share their weights are one.
      if (!byPlace.has(layer.at)) byPlace.set(layer.at, await this.#layer(layer, plan));
      layers.push(byPlace.get(layer.at));
    }
    const norm = plan.norm && (await this.#floats(plan.norm));
    return new Stack(this.#api, plan, layers, norm);
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

  async patches(plan) {
    const { Patches } = await import('./patches.js');
    const { first, positions, weight, bias, channels, patch } = plan;
    const vectors = await this.#floats({ first, positions });
    const length = channels * patch[0] * patch[1];
    const { data } = (await this.#weights.read([weight.name])).get(weight.name);
    const read = await this.#floats({ bias });
    const type = weight.type;
    const matrix = kept({ data, type, dims: [weight.dims[0], length] }, this.#how);
    const projection = this.#api.Linear.fromTorch({ weight: matrix, bias: read.bias });
    return new Patches(plan, vectors, this.#keep(projection));
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

  /** Deletes all that was made; keeps nothing else, so that what was read can go. */
  get free() {
    const all = this.#made;
    return () => {
      for (const made of all.splice(0)) made.delete();
    };
  }
}
