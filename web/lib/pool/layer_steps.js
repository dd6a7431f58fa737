// One layer, computed with other workers in steps: they yield lists of this worker's columns, { data, ends } as LayerShard
// has them, and are resumed with lists of whole matrices.
import { intervene } from './row_edits.js';

/** scale · rows, in place: one factor per column, or none. */
function scaled(rows, scale) {
  const { data } = rows;
  if (scale) for (let at = 0; at < data.length; at++) data[at] *= scale[at % scale.length];
  return rows;
}

/**
 * @import { Matrix } from '../models/run/vector_rows.js'
 * @typedef {Matrix & { ends: number[] }} Columns of a worker, and where those of each worker end
 * @typedef {Generator<Columns[], Matrix, Matrix[]>} Steps
 * @typedef {{ scale?: Float32Array, outputName?: string }} AddOptions
 */

class LayerRun {
  #layer;
  #call;
  #results;
  #memory;

  constructor(layer, call, results, memory) {
    this.#layer = layer;
    this.#call = call;
    this.#results = results;
    this.#memory = memory;
  }

  /** Rows at a hook point. */
  #at(name, rows) {
    const edited = intervene(this.#call, name, rows);
    return name in (this.#call.captured ?? {}) ? this.#memory.keep(edited) : edited;
  }

  /** use(rows), the last use of the rows. */
  #using(rows, use) {
    const result = use(rows);
    this.#memory.release(rows);
    return result;
  }

  /** use(rows), or use() of their norm in a pre-norm layer that has it. */
  #normed(name, rows, use) {
    const { normFirst, vectors } = this.#layer;
    return normFirst && vectors[name] ? this.#using(this.#layer.norm(name, rows), use) : use(rows);
  }

  #attend(kind, rows) {
    return this.#layer.attend(kind, rows, this.#call[kind], (this.#results[kind] = {}));
  }

  /**
   * The residual sum with what a matrix adds, and its norm; takes both. outputName: the norm of what is added, if the layer has it.
   *
   * @returns {Steps}
   */
  *#add(name, to, map, factor, normName, /** @type {AddOptions} */ { scale, outputName } = {}) {
    const layer = this.#layer;
    const [product] = yield [this.#using(factor, (rows) => layer.linear(map, rows))];
    const hasNorm = outputName !== undefined && layer.vectors[outputName] !== undefined;
    const output = hasNorm ? this.#using(product, (rows) => layer.norm(outputName, rows)) : product;
    const total = this.#memory.sum(to, this.#at(name, scaled(output, scale)));
    this.#memory.release(to);
    return layer.normFirst ? total : this.#using(total, (rows) => layer.norm(normName, rows));
  }

  /**
   * Attention, then the feed-forward network.
   *
   * @returns {Steps}
   */
  *inTurn(x) {
    const layer = this.#layer;
    const { selfScale, feedForwardScale } = layer.vectors;
    const residual = this.#at('resid_pre', x);
    const [z] = yield [this.#normed('selfNorm', residual, (own) => this.#attend('self', own))];
    let rows = yield* this.#add('attn_out', residual, 'selfOutput', z, 'selfNorm', {
      ...{ scale: selfScale, outputName: 'selfOutputNorm' },
    });
    if (this.#call.cross) {
      const [crossZ] = yield [this.#normed('crossNorm', rows, (own) => this.#attend('cross', own))];
      rows = yield* this.#add('cross attn_out', rows, 'crossOutput', crossZ, 'crossNorm');
    }
    rows = this.#at('resid_mid', rows);
    const [hidden] = yield [this.#normed('feedForwardNorm', rows, (own) => layer.projectUp(own))];
    rows = yield* this.#add('mlp_out', rows, 'down', hidden, 'feedForwardNorm', {
      ...{ scale: feedForwardScale, outputName: 'feedForwardOutputNorm' },
    });
    return this.#at('resid_post', rows);
  }

  /**
   * Attention and the feed-forward network of the same rows.
   *
   * @returns {Steps}
   */
  *inParallel(x) {
    const layer = this.#layer;
    const memory = this.#memory;
    const { feedForwardNorm, selfScale, feedForwardScale } = layer.vectors;
    const residual = this.#at('resid_pre', x);
    const input = layer.normFirst ? layer.norm('selfNorm', residual) : residual;
    const own = this.#attend('self', input);
    const up = (rows) => layer.projectUp(rows);
    const ownUp = feedForwardNorm
      ? this.#using(layer.norm('feedForwardNorm', residual), up)
      : up(input);
    const [z, hidden] = yield [own, ownUp];
    const [output, added] = yield [
      this.#using(z, (rows) => layer.linear('selfOutput', rows)),
      this.#using(hidden, (rows) => layer.linear('down', rows)),
    ];
    const attended = memory.sum(residual, this.#at('attn_out', scaled(output, selfScale)));
    const both = memory.sum(attended, this.#at('mlp_out', scaled(added, feedForwardScale)));
    for (const rows of [residual, attended]) memory.release(rows);
    return this.#at('resid_post', both);
  }
}

/**
 * The output of a layer, a LayerShard, in steps. call: fields of its attentions, and what intervene() reads; memory: of the
 * run. The results of its attentions are added to `results`.
 *
 * @returns {Steps}
 */
export function layerSteps(layer, x, call, results, memory) {
  const run = new LayerRun(layer, call, results, memory);
  return layer.parallel ? run.inParallel(x) : run.inTurn(x);
}
