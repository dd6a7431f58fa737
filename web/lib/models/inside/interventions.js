// Edits and captures as options of layer calls: see `interventions` of TransformerLayer.forward().
import { describe } from '../../arguments/describe.js';
import { sizeOf } from '../../arguments/dims.js';
import { readOptions } from '../../arguments/options.js';
import { readEdits } from './edits.js';
import {
  enumsOf,
  indicesTo,
  perHeadNames,
  readHookPoint,
  readIndices,
  takeAlong,
} from './hook_points.js';

const anything = (value) => value;

/** The option `capture` of `where`: a list of hook points. */
function readCapture(capture, where, components) {
  return Array.from(capture, (item, n) => {
    const name = `capture[${n}]`;
    const layer = (value) => readIndices(value, `${name}.layer`);
    const kinds = { at: anything, layer, stack: anything };
    const request = typeof item === 'string' ? { at: item } : item;
    /** @type {{ at: string, layer?: number[], stack?: string }} */
    const read = readOptions(`${name} in ${where}`, request, kinds, ['at'], 'field');
    return readHookPoint(name, read, components);
  });
}

/**
 * The selection of an edit in a call. ranges: of positions and heads in the call, [first, end), by axis; undefined for all of
 * an axis. The result has indices by axis, counted from `first`, an empty list for all, and their values; or is
 * undefined if the call has none of them.
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

const hasHeads = ({ axes }) => axes[0] !== undefined;
const hasPairs = ({ axes }) => axes[1] === 'query' && axes[2] === 'key';

/** The name of a hook point among those of a layer without heads. */
const nameInLayer = ({ at, isCross }) => (isCross ? `cross ${at}` : at);

/** The dims of a hook point in a call. ranges: as of select(). */
const dimsOf = ({ axes, sizes }, ranges) =>
  axes.flatMap((axis, n) => (ranges[n] ? ranges[n][1] - ranges[n][0] : (sizes[axis] ?? [])));

/** An edit of scores or pattern that changes no number. */
const noChange = { operation: 'scale', factor: 1, indices: [[0], [0], [0]], values: undefined };

/** @typedef {{ data: Uint8Array, dims: number[] }} MaskOfCall */

/**
 * The changes of edits in a call: { edits, mask?, crossMask? }, each edit with the result of select(). rangesOf: a function
 * from an edit to the ranges of select(). headsOf: the same for ranges of heads, of which the call computes some only;
 * masks and edits of scores and pattern are then in every call, so that all heads are computed in the same way.
 */
function selectAll(edits, rangesOf, headsOf) {
  /** @type {{ edits: object[], mask?: MaskOfCall, crossMask?: MaskOfCall }} */
  const all = { edits: [] };
  for (const edit of edits) {
    const whole = select(edit, rangesOf(edit));
    if (!whole) continue;
    const ranges = headsOf?.(edit) ?? rangesOf(edit);
    const selection = headsOf ? select(edit, ranges) : whole;
    if (edit.operation === 'blocked') {
      const dims = dimsOf(edit, ranges);
      const name = edit.isCross ? 'crossMask' : 'mask';
      all[name] ??= { data: new Uint8Array(sizeOf(dims)).fill(1), dims };
      if (selection) block(all[name], selection.indices);
    } else if (selection ?? hasPairs(edit)) {
      all.edits.push({ ...edit, ...(selection ?? noChange) });
    }
  }
  return all;
}

/** Edits of selectAll() and numbers of captures as `interventions` of a layer; undefined for none. */
function layerInterventions(edits, captures, { Operation }) {
  const list = [];
  const numbers = [];
  for (const { number, isCross, operation, factor = 0, indices, values } of edits) {
    const valueOffset = values ? numbers.length : 0;
    list.push(number, Number(isCross), Operation[operation], factor, valueOffset);
    for (const axis of [0, 1, 2]) {
      const isStretched = !values || values.dims[axis] === 1;
      list.push(isStretched ? 0 : sizeOf(values.dims.slice(axis + 1)));
    }
    for (const own of indices) list.push(own.length, ...own);
    if (values) for (const value of values.data) numbers.push(value);
  }
  if (list.length + captures.length === 0) return undefined;
  const values = { data: Float32Array.from(numbers), dims: [numbers.length] };
  return {
    ...(list.length > 0 && { edits: list }),
    ...(numbers.length > 0 && { values }),
    ...(captures.length > 0 && { captures }),
  };
}

/** The edits and captures of a call of a layer. captures: hook points by number; rangesOf: see selectAll(); enums: the module's. */
export class LayerInterventions {
  #edits;
  #captures;
  #rangesOf;
  #enums;

  constructor(edits, captures, rangesOf, enums) {
    this.#edits = edits;
    this.#captures = captures;
    this.#rangesOf = rangesOf;
    this.#enums = enums;
  }

  /** Options of the layer's forward() or projectMemory(). */
  options() {
    const { edits, ...masks } = selectAll(this.#edits, this.#rangesOf);
    const interventions = layerInterventions(edits, [...this.#captures.keys()], this.#enums);
    return { ...masks, ...(interventions && { interventions }) };
  }

  /**
   * The same for a worker with some heads: { self, cross, rows, captures }. heads: ranges, { self: { head, kvHead }, cross };
   * self, cross: `mask` and `interventions` of their attention; rows: edits of hook points without heads; captures: the
   * hook points in order, each with the number of its numbers in this worker.
   */
  shard(heads) {
    const headsOf = (point) => {
      const own = heads[point.isCross ? 'cross' : 'self'];
      return this.#rangesOf(point).map((range, n) => own?.[point.axes[n]] ?? range);
    };
    const { edits, mask, crossMask } = selectAll(this.#edits, this.#rangesOf, headsOf);
    const captures = Array.from(this.#captures.values(), (point) => ({
      name: nameInLayer(point),
      ...{ at: point.at, isCross: point.isCross, number: point.number },
      ...{ hasHeads: hasHeads(point), isPerHead: perHeadNames.includes(point.at) },
      size: sizeOf(dimsOf(point, headsOf(point))),
    }));
    const attention = (isCross) => {
      const own = edits.filter((edit) => edit.isCross === isCross && hasHeads(edit));
      const captured = captures.filter(
        (one) => one.isCross === isCross && one.hasHeads && !one.isPerHead,
      );
      return {
        mask: isCross ? crossMask : mask,
        interventions: layerInterventions(
          own.map((edit) => ({ ...edit, isCross: false })),
          captured.map(({ number }) => number),
          this.#enums,
        ),
      };
    };
    const rows = edits.filter((edit) => !hasHeads(edit));
    return {
      self: attention(false),
      cross: attention(true),
      rows: rows.map(({ operation, factor, indices, values, ...point }) => ({
        ...{ name: nameInLayer(point), operation, factor, values },
        indices: indices[1],
      })),
      captures,
    };
  }

  /** The captured tensors of a layer from all of its captured numbers. */
  captured(layer, { data }) {
    let begin = 0;
    return Array.from(this.#captures.values(), (point) => {
      const { at, stack } = point;
      const dims = dimsOf(point, this.#rangesOf(point));
      const own = data.slice(begin, (begin += sizeOf(dims)));
      return { at, layer, stack, tensor: { data: own, dims } };
    });
  }
}

/** The edits and captures of a run. */
export class Interventions {
  #fitEdits;
  #edits;
  #captures;
  #enums;
  #lengths;

  constructor(fitEdits, captures, enums) {
    this.#fitEdits = fitEdits;
    this.#captures = captures;
    this.#enums = enums;
  }

  get hasCaptures() {
    return this.#captures.length > 0;
  }

  /** The same edits without captures. */
  withoutCaptures() {
    const edits = new Interventions(this.#fitEdits, [], this.#enums);
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

  /** The first layer of a stack that the edits change; Infinity if they change none. */
  firstLayer(stack) {
    const ofStack = this.#edits.filter(({ side }) => side === stack);
    const layers = ofStack.map(({ sizes, hasLayer }) => indicesTo(sizes.layers).find(hasLayer));
    return Math.min(...layers);
  }

  /**
   * Those of calls of a stack, for its rows at the positions first to end - 1: a function from the index of a layer to
   * LayerInterventions. isProjected: whether the keys and values of cross-attention were projected before.
   */
  ofCalls(side, first, end, isProjected = false) {
    const rangesOf = ({ at, axes, isCross }) =>
      axes.map((axis) => {
        if (axis === 'query') return [first, end];
        if (axis !== 'key') return undefined;
        return isCross ? [0, this.#lengths.encoder] : [at === 'k' || at === 'v' ? first : 0, end];
      });
    const isStored = ({ axes, isCross }) => isProjected && isCross && axes[1] === 'key';
    return (n) => {
      const within = (list) => list.filter((one) => one.side === side && one.hasLayer(n));
      const captures = within(this.#captures).map((one) => [
        one.number + (one.isCross ? this.#enums.CaptureFlag.cross : 0),
        one,
      ]);
      const edits = within(this.#edits).filter((edit) => !isStored(edit));
      return new LayerInterventions(edits, new Map(captures), rangesOf, this.#enums);
    };
  }

  /** Those of projectMemory() of a layer of the decoder: edits of keys and values of cross-attention. */
  ofMemory(n) {
    const edits = this.#edits.filter(
      ({ isCross, axes, hasLayer }) => isCross && axes[1] === 'key' && hasLayer(n),
    );
    const rangesOf = () => [undefined, [0, this.#lengths.encoder], undefined];
    return new LayerInterventions(edits, new Map(), rangesOf, this.#enums);
  }
}

/** Kind of the options that readInterventions() reads, `edits` and `capture`. */
export const editList = (value, name) => {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${name} must be an array, found ${describe(value)}`);
};

/**
 * The interventions of the options of `where`, or undefined if there are none.
 *
 * @param {string} where
 * @param {{ edits?: unknown[], capture?: unknown[] }} options
 */
export function readInterventions(where, { edits = [], capture = [] }, components) {
  if (edits.length + capture.length === 0) return undefined;
  const fitEdits = readEdits(edits, where, components);
  return new Interventions(fitEdits, readCapture(capture, where, components), enumsOf(components));
}
