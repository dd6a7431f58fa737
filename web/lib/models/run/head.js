// Computes logits from hidden vectors by the steps of a head's plan. head_types.js lists the values of `on`.
import { lastIndex } from '../../arguments/last_index.js';
import { activations } from './activations.js';
import { addTo, meanRow, rowOf, someRows } from './vector_rows.js';

export class Head {
  #api;
  #plan;
  #steps;

  /** steps: those of the plan, with { linear: a Linear }, { norm } as float32, { words: an EmbeddingTable, bias }. */
  constructor(api, plan, steps) {
    this.#api = api;
    this.#plan = plan;
    this.#steps = steps;
  }

  /** The rows of its input: 'tokens', 'first', 'last', …; see head_types.js. */
  get on() {
    return this.#plan.on;
  }

  /** Position of the only row of logits that it computes from one token of n. ids, specialIds: see outputsOf(). */
  positionOf(n, ids = [], { ends, padding }) {
    if (this.on === 'first') return 0;
    if (this.on === 'end') {
      const end = lastIndex(ids, (id) => ends.includes(id));
      return end < 0 ? n - 1 : end;
    }
    // The last token that is no padding, wherever padding stands; the first of padding alone.
    return ids.length === 0
      ? n - 1
      : Math.max(
          0,
          lastIndex(ids, (id) => id !== padding),
        );
  }

  /** Whether it is a language-modeling head. */
  get isLanguageModel() {
    return this.#plan.isLanguageModel;
  }

  /**
   * Its only step, { linear } or { words, bias, scale }, if logits are one linear map of the vector of a token; else
   * undefined.
   */
  get onlyMap() {
    const [step, ...others] = this.#steps;
    const isMap = others.length === 0 && (step.linear || step.words);
    return isMap && ['tokens', 'first', 'last'].includes(this.on) ? step : undefined;
  }

  #rows(hidden, { pooled, ids, specialIds }) {
    switch (this.#plan.on) {
      case 'tokens':
        return hidden;
      case 'first':
        return someRows(hidden, [0]);
      case 'last':
      case 'end':
        return someRows(hidden, [this.positionOf(hidden.dims[0], ids, specialIds)]);
      case 'mean':
        return { data: meanRow(hidden, 0), dims: [1, hidden.dims[1]] };
      case 'pooled':
        return { data: pooled.data, dims: [1, pooled.data.length] };
      default: {
        const both = [...rowOf(hidden, 0), ...meanRow(hidden, 1)];
        return { data: Float32Array.from(both), dims: [1, both.length] };
      }
    }
  }

  *#step(x, step) {
    if (step.activation) return { data: x.data.map(activations[step.activation]), dims: x.dims };
    if (step.linear) return step.linear.forward(x);
    if (step.norm) return this.#api.layerNorm(x, { ...step.norm, epsilon: step.epsilon });
    const { words, bias, scale, softcap } = step;
    const rows = scale === 1 ? x : { data: x.data.map((number) => number * scale), dims: x.dims };
    const logits = yield words.logits(rows);
    if (bias) for (let row = 0; row < logits.dims[0]; row++) addTo(rowOf(logits, row), bias.data);
    if (softcap)
      logits.data.forEach((x, at) => (logits.data[at] = softcap * Math.tanh(x / softcap)));
    return logits;
  }

  /** n × classes for heads that classify tokens, else one row of classes; in steps. */
  *logits(hidden, of) {
    let logits = this.#rows(hidden, of);
    for (const step of this.#steps) logits = yield* this.#step(logits, step);
    return this.#plan.on === 'tokens' ? logits : { data: logits.data, dims: [logits.data.length] };
  }
}
