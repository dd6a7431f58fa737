// Runs a model once for each layer, head and position, with the edits of each, and measures each run. Layers before the
// first edited one are not computed again: they have the residual stream of the run without edits.
/** @import { Interventions } from './interventions.js' */
import { abortSignal } from '../../arguments/abort_signal.js';
import { describe } from '../../arguments/describe.js';
import { sizeOf } from '../../arguments/dims.js';
import { callback, isList, list, number, readOptions } from '../../arguments/options.js';
import { componentsOf } from '../components_of.js';
import { checkInteger } from '../run/read_input.js';
import { decode, encode, outputsOf, readInterventions } from '../run/runtime.js';
import { taskYielder } from '../run/task_yielder.js';

/** An axis of the option over: all indices (true), none (false), or these. */
function readAxis(value, name) {
  if (typeof value === 'boolean') return value;
  if (isList(value)) return list(value, `over.${name}`);
  throw new TypeError(`over.${name} must be true, false or an array, found ${describe(value)}`);
}

/** The indices of each axis of the sweep; undefined for an axis that it does not have. */
function readAxes(over, counts) {
  const kinds = { layers: readAxis, heads: readAxis, positions: readAxis };
  const read = readOptions('sweep: over', over, kinds);
  const { layers = true, heads = true, positions = false } = read;
  const axes = Object.entries({ layers, heads, positions }).map(([name, value]) => {
    const count = counts[name];
    if (value === false) return undefined;
    if (value === true) return Array.from({ length: count }, (_, index) => index);
    for (const index of value) checkInteger(`over.${name}`, index, 0);
    return value;
  });
  if (axes[0]) return axes;
  throw new RangeError('over.layers is false, but a sweep is over layers');
}

/**
 * Each combination of the indices, the last axis first.
 *
 * @param {(number[] | undefined)[]} axes
 * @param {(number | undefined)[]} chosen
 * @returns {Generator<(number | undefined)[], void>}
 */
function* combinations([axis, ...others], chosen = []) {
  for (const index of axis ?? [undefined]) {
    if (others.length > 0) yield* combinations(others, [...chosen, index]);
    else yield [...chosen, index];
  }
}

/** The outputs of a run with these edits, from the first layer that they change. base: without edits, with hiddenStates. */
function* runFrom(components, base, edits, outputOptions) {
  const { stacks } = components;
  const { hiddenStates, encoderHiddenStates } = base;
  const read = readInterventions('sweep', { edits }, components);
  const interventions = /** @type {Interventions} */ (read); // there is an edit
  const count = hiddenStates[0].dims[0];
  if (stacks.self) {
    interventions.setLengths({ self: count });
    const first = interventions.firstLayer('self');
    const calls = interventions.ofCalls('self', 0, count);
    const options = { first, interventions: calls };
    const { hidden } = yield* stacks.self.stack.run(hiddenStates[first], options);
    return yield* outputsOf(components, hidden, outputOptions);
  }
  interventions.setLengths({ encoder: base.ids.length, decoder: count });
  const from = interventions.firstLayer('encoder');
  let memory = base.encoderHidden;
  let first = interventions.firstLayer('decoder');
  if (from < Infinity) {
    const start = { first: from, x: encoderHiddenStates[from] };
    memory = (yield* encode(components, base.ids, { interventions, start })).hidden;
    first = 0;
  }
  const start = { first, x: hiddenStates[first] };
  const { hidden } = yield* decode(components, base.decoderIds, memory, { interventions, start });
  const outputs = yield* outputsOf(components, hidden, outputOptions);
  return { encoderHidden: memory, ...outputs };
}

/**
 * The result that a metric receives: a copy, because later runs start from the tensors of the one without edits. Hidden
 * states are left out: those before the first edited layer are not computed again.
 */
function resultFor({ hiddenStates: _, encoderHiddenStates: __, ...base }, outputs) {
  return structuredClone({ ...base, ...outputs });
}

const kinds = {
  edit: callback,
  metric: callback,
  over: (value) => value,
  position: number,
  signal: abortSignal,
  onProgress: callback,
};

export async function sweep(model, input, options) {
  const components = componentsOf(model);
  const read = readOptions('sweep', options, kinds, ['edit', 'metric']);
  const { edit, metric, over, position, signal, onProgress } = read;
  signal?.throwIfAborted();
  if (position !== undefined && components.head?.on !== 'tokens') {
    throw new RangeError('position is set, but the model has no logits for each position');
  }
  const whole = await model.run(input, { hiddenStates: true, logits: false });
  const positions = whole.hiddenStates[0].dims[0];
  const { layers, heads } = model;
  const axes = readAxes(over, { layers, heads, positions });
  checkInteger('position', position, 0, positions - 1);
  const outputOptions = { position, ids: whole.ids };
  const finish = (steps) => components.finish(steps, signal);
  const outputs = await finish(outputsOf(components, whole.hidden, outputOptions));
  const measure = (result) => {
    const value = metric(result);
    if (typeof value === 'number') return value;
    throw new TypeError(`metric must return a number, found ${describe(value)}`);
  };
  const baseValue = measure(resultFor(whole, outputs));
  const dims = axes.flatMap((axis) => axis?.length ?? []);
  const total = sizeOf(dims);
  const values = new Float64Array(total);
  const yieldToTasks = taskYielder(signal);
  let done = 0;
  for (const indices of combinations(axes)) {
    await yieldToTasks();
    signal?.throwIfAborted();
    const usable = componentsOf(model); // throws if the model was deleted
    const edits = edit(...indices);
    if (!Array.isArray(edits)) {
      throw new TypeError(`edit must return an array of edits, found ${describe(edits)}`);
    }
    const changed =
      edits.length > 0 ? await finish(runFrom(usable, whole, edits, outputOptions)) : outputs;
    values[done++] = measure(resultFor(whole, changed));
    onProgress?.({ done, total });
  }
  return { values, dims, base: baseValue };
}
