// Edits and captures as options of layer calls: see `interventions` of TransformerLayer.forward().
import { describe } from '../arguments/describe.js';
import { sizeOf } from '../arguments/dims.js';
import { readOptions } from '../arguments/options.js';
import { readEdits } from './edits.js';
import { indicesTo, readHookPoint, readIndices, takeAlong } from './hook_points.js';

const operations = ['set', 'add', 'scale', 'uniform'];
const crossCapture = 16; // added to the number of a captured hook point of cross-attention
const anything = (value) => value;

/** The option `capture` of `where`: a list of hook points. */
function readCapture(capture, where, components) {
  return Array.from(capture, (item, n) => {
    const name = `capture[${n}]`;
    const layer = (value) => readIndices(value, `${name}.layer`);
    const kinds = { at: anything, layer, stack: anything };
    const request = typeof item === 'string' ? { at: item } : item;
    const read = readOptions(`${name} in ${where}`, request, kinds, ['at'], 'field');
    return readHookPoint(name, read, components);
  });
}

/**
 * What an edit selects in a call. ranges: of positions in the call, [first, end), by axis; undefined for axes without
 * positions. The result has indices by axis, counted from `first`, an empty list for all, and their values; or is
 * undefined if the call has none of the positions.
 */
function select({ selected, values }, ranges) {
  const indices = [selected[0] ?? [], [], []];
  for (const [axis, range] of ranges.entries()) {
    const size = values?.dims[axis] ?? 1;
    if (!range || (!selected[axis] && (size === 1 || (range[0] === 0 && size === range[1]))))
      continue;
    const all = selected[axis] ?? indicesTo(size);
    const within = indicesTo(all.length).filter((n) => all[n] >= range[0] && all[n] < range[1]);
    if (within.length === 0) return undefined;
    indices[axis] = within.map((n) => all[n] - range[0]);
    if (size > 1) values = takeAlong(values, axis, within);
  }
  return { indices, values };
}

/** Sets pairs of a mask to 0. */
function block({ data, dims }, indices) {
  const [heads, rows, columns] = indices.map((list, axis) =>
    list.length > 0 ? list : indicesTo(dims[axis]),
  );
  for (const head of heads) {
    for (const row of rows) {
      for (const column of columns) data[(head * dims[1] + row) * dims[2] + column] = 0;
    }
  }
}

/** The options of a layer call. rangesOf: a function from an edit to the ranges of select(); captures: numbers. */
function callOptions(edits, rangesOf, captures) {
  const options = {};
  const list = [];
  const numbers = [];
  for (const edit of edits) {
    const { number, isCross, operation, factor = 0, sizes } = edit;
    const ranges = rangesOf(edit);
    const selection = select(edit, ranges);
    if (!selection) continue;
    const { indices, values } = selection;
    if (operation === 'blocked') {
      const dims = [sizes.head, ...ranges.slice(1).map(([first, end]) => end - first)];
      const name = isCross ? 'crossMask' : 'mask';
      options[name] ??= { data: new Uint8Array(sizeOf(dims)).fill(1), dims };
      block(options[name], indices);
      continue;
    }
    const valueOffset = values ? numbers.length : 0;
    list.push(number, Number(isCross), operations.indexOf(operation), factor, valueOffset);
    for (const axis of [0, 1, 2]) {
      const isStretched = !values || values.dims[axis] === 1;
      list.push(isStretched ? 0 : sizeOf(values.dims.slice(axis + 1)));
    }
    for (const own of indices) list.push(own.length, ...own);
    if (values) for (const value of values.data) numbers.push(value);
  }
  if (list.length + captures.length === 0) return options;
  const values = { data: Float32Array.from(numbers), dims: [numbers.length] };
  const interventions = {
    ...(list.length > 0 && { edits: list }),
    ...(numbers.length > 0 && { values }),
    ...(captures.length > 0 && { captures }),
  };
  return { ...options, interventions };
}

/** The edits and captures of a run. */
export class Interventions {
  #fitEdits;
  #edits;
  #captures;
  #lengths;

  constructor(fitEdits, captures) {
    this.#fitEdits = fitEdits;
    this.#captures = captures;
  }

  get hasCaptures() {
    return this.#captures.length > 0;
  }

  /** The same edits without captures. */
  withoutCaptures() {
    const edits = new Interventions(this.#fitEdits, []);
    edits.setLengths(this.#lengths);
    return edits;
  }

  /**
   * Throws for edits that do not fit. lengths: numbers of tokens by stack, Infinity for a text that generate() extends.
   */
  setLengths(lengths) {
    this.#lengths = lengths;
    this.#edits = this.#fitEdits(lengths);
  }

  /**
   * Those of calls of a stack, for its rows at the positions first to end - 1: functions from the index of a layer to
   * options of its call, and to named tensors from the numbers that it captured. isProjected: whether the keys and values
   * of cross-attention were projected before.
   */
  ofCalls(side, first, end, isProjected = false) {
    const rangesOf = ({ at, axes, isCross }) =>
      axes.map((axis) => {
        if (axis === 'query') return [first, end];
        if (axis !== 'key') return undefined;
        return isCross ? [0, this.#lengths.encoder] : [at === 'k' || at === 'v' ? first : 0, end];
      });
    const within = (list, n) => list.filter((one) => one.side === side && one.hasLayer(n));
    const capturesOf = (n) =>
      new Map(
        within(this.#captures, n).map((one) => [
          one.number + (one.isCross ? crossCapture : 0),
          one,
        ]),
      );
    const isStored = ({ axes, isCross }) => isProjected && isCross && axes[1] === 'key';
    return {
      callOf: (n) => {
        const edits = within(this.#edits, n).filter((edit) => !isStored(edit));
        return callOptions(edits, rangesOf, [...capturesOf(n).keys()]);
      },
      capturedOf: (layer, { data }) => {
        let begin = 0;
        return Array.from(capturesOf(layer).values(), (one) => {
          const { at, stack, axes, sizes } = one;
          const ranges = rangesOf(one);
          const dims = axes.flatMap((axis, n) =>
            ranges[n] ? ranges[n][1] - ranges[n][0] : (sizes[axis] ?? []),
          );
          const own = data.slice(begin, (begin += sizeOf(dims)));
          return { at, layer, stack, tensor: { data: own, dims } };
        });
      },
    };
  }

  /** The options of projectMemory() of a layer of the decoder: edits of keys and values of cross-attention. */
  ofMemory(n) {
    const edits = this.#edits.filter(
      ({ isCross, axes, hasLayer }) => isCross && axes[1] === 'key' && hasLayer(n),
    );
    return callOptions(edits, () => [undefined, [0, this.#lengths.encoder], undefined], []);
  }
}

/** Kind of the options that readInterventions() reads, `edits` and `capture`. */
export const editList = (value, name) => {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${name} must be an array, found ${describe(value)}`);
};

/** The interventions of the options of `where`, or undefined if there are none. */
export function readInterventions(where, { edits = [], capture = [] }, components) {
  if (edits.length + capture.length === 0) return undefined;
  if (components.api.workers) {
    throw new TypeError(`${where}() of a model on a pool takes no edits and captures`);
  }
  const fitEdits = readEdits(edits, where, components);
  return new Interventions(fitEdits, readCapture(capture, where, components));
}
