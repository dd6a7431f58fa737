// From hidden vectors to logits, step by step as the head's plan says. heads.js says what each `on` reads.
import { activations } from './activations.js';
import { addTo, meanRow, rowOf, someRows } from './vector_rows.js';

export class Head {
  #api;
  #plan;
  #steps;

  /** steps: of the plan, with { linear } made, { norm } as float32, { words: a WordTable, bias }. */
  constructor(api, plan, steps) {
    this.#api = api;
    this.#plan = plan;
    this.#steps = steps;
  }

  /** Which rows it reads. */
  get on() {
    return this.#plan.on;
  }

  /** Whether its logits say which word follows. */
  get follows() {
    return this.#plan.follows;
  }

  #rows(hidden, { pooled, ends }) {
    const count = hidden.dims[0];
    switch (this.#plan.on) {
      case 'tokens':
        return hidden;
      case 'first':
        return someRows(hidden, [0]);
      case 'last':
        return someRows(hidden, [count - 1]);
      case 'end':
        return someRows(hidden, [ends.at(-1) ?? count - 1]);
      case 'pooled':
        return { data: pooled.data, dims: [1, pooled.data.length] };
      default: {
        const both = [...rowOf(hidden, 0), ...meanRow(hidden, 1)];
        return { data: Float32Array.from(both), dims: [1, both.length] };
      }
    }
  }

  #step(x, step) {
    if (step.activation) return { data: x.data.map(activations[step.activation]), dims: x.dims };
    if (step.linear) return step.linear.forward(x);
    if (step.norm) return this.#api.layerNorm(x, { ...step.norm, epsilon: step.epsilon });
    const { words, bias, scale } = step;
    const rows = scale === 1 ? x : { data: x.data.map((number) => number * scale), dims: x.dims };
    const logits = words.logits(rows);
    if (bias) for (let row = 0; row < logits.dims[0]; row++) addTo(rowOf(logits, row), bias.data);
    return logits;
  }

  /** Of each token n × classes, of the whole text its classes alone. */
  logits(hidden, of) {
    const logits = this.#steps.reduce((x, step) => this.#step(x, step), this.#rows(hidden, of));
    return this.#plan.on === 'tokens' ? logits : { data: logits.data, dims: [logits.data.length] };
  }
}
