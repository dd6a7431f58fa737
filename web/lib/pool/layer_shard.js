// A worker's shard of a layer in the module: some heads of each attention, some outputs of each matrix, and all norms.

/** A tensor field of a call. */
export const field = (name, { data, dims }) => ({ name, data, dims, type: 'Float32Array' });

/** The result of a worker that has no columns. */
const noColumns = (ends) => ({ data: new Float32Array(0), ends });

const objectNames = ['self', 'selfOutput', 'cross', 'crossOutput', 'up', 'gate', 'down'];

/**
 * @import { Facts } from '../module/heap.js'
 * @typedef {{ weight?: Float32Array, bias?: Float32Array }} NormVectors
 */

export class LayerShard {
  #heap;
  #caches;
  /** @type {Facts | undefined} */
  self;
  /** @type {Facts | undefined} */
  selfOutput;
  /** @type {Facts | undefined} */
  cross;
  /** @type {Facts | undefined} */
  crossOutput;
  /** @type {Facts | undefined} */
  up;
  /** @type {Facts | undefined} */
  gate;
  /** @type {Facts | undefined} */
  down;
  normFirst = false;
  parallel = false;
  rms = false;
  epsilon = 0;
  activation = 0;
  /** @type {Record<string, NormVectors>} weights of norms and scales */
  vectors = {};
  /** @type {Record<string, number[]>} */
  ends = {};

  /**
   * objects: by name, a function of the module and its fields, or undefined. facts: normFirst, parallel, rms, epsilon,
   * activation, vectors: weights of norms and scales, and ends: where the columns of each worker end in all of an attention
   * (self, cross), of the first matrix of the feed-forward network (up) or of any other matrix (model).
   */
  constructor(heap, caches, objects, facts) {
    this.#heap = heap;
    this.#caches = caches;
    Object.assign(this, facts);
    try {
      for (const [name, call] of Object.entries(objects)) {
        if (call) this[name] = heap.create(...call);
      }
    } catch (error) {
      this.free();
      throw error;
    }
  }

  free() {
    for (const name of objectNames) if (this[name]) this.#heap.free(this[name].object);
  }

  /** Some outputs of a matrix, with their `ends`. */
  linear(name, x, more) {
    const map = this[name];
    const ends = this.ends[name] ?? this.ends.model;
    if (!map) return noColumns(ends);
    const fields = { layer: map.object, x: field('x', x), ...more };
    return { ...this.#heap.call('linear', fields).output, ends };
  }

  /** Some outputs of the first matrix of the feed-forward network, and their activation. */
  projectUp(x) {
    return this.linear('up', x, { activation: this.activation, gateLayer: this.gate?.object });
  }

  norm(name, x) {
    const { weight, bias } = this.vectors[name];
    const row = (rowName, data) => data && field(rowName, { data, dims: [data.length] });
    const fields = { weight: row('weight', weight), bias: row('bias', bias) };
    const { rms, epsilon } = this;
    return this.#heap.call('norm', { x: field('x', x), ...fields, rms, epsilon }).output;
  }

  /** The outputs of some heads, with their `ends`; the other results are added to `results`. */
  attend(name, x, { memory, cache, ...fields }, results) {
    const attention = this[name];
    const ends = this.ends[name];
    if (!attention) return noColumns(ends);
    const stored = cache ?? (memory?.id && memory);
    const { output, ...others } = this.#heap.call('multiHead', {
      ...fields,
      layer: attention.object,
      x: field('x', x),
      context: memory && !memory.id ? field('memory', memory) : undefined,
      cache: stored && this.#caches.addressOf(attention, stored),
      appends: cache !== undefined,
    });
    Object.assign(results, others);
    return { ...output, ends };
  }

  /**
   * Some outputs of a matrix, heads × n × outputs, for the vectors of each head alone, without bias; undefined without
   * outputs. vectors: n × dim of each head, or of each head of keys and values.
   */
  outputsPerHead(name, heads, { data, dims }) {
    if (!this[name]) return undefined;
    const [count, rows, dim] = dims.slice(-3);
    const width = heads * dim;
    const x = new Float32Array(heads * rows * width);
    for (let at = 0; at < heads * rows; at++) {
      const head = Math.floor(at / rows);
      const from = (Math.floor((head * count) / heads) * rows + (at % rows)) * dim;
      x.set(data.subarray(from, from + dim), at * width + head * dim);
    }
    return this.linear(name, { data: x, dims: [heads, rows, width] }, { withoutBias: true });
  }
}
