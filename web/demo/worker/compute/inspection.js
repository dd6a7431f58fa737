// Inspection of one weight: vectors of the pair, the row at each stage, and its output.

import { rowOf } from '../../tensors.js';
import { eachStage } from './picture.js';

/** @import { AttentionApi, Tensor } from 'attention-wasm' */
/** @import { Inspection, Projection, Reading, VectorPart } from '../../types' */
/** @import { Computed } from '../types' */

/**
 * A copied row, which can be posted without its tensor.
 * @type {(tensor: Tensor, row: number, head?: number) => Float32Array}
 */
const copyRow = (...place) => rowOf(...place).slice();

/**
 * `computed`: result of computeStages() for the part; the place is one pair of `pieces`; `request`: as sent by the page.
 * @param {AttentionApi} api
 * @param {VectorPart} part
 * @param {Reading} reading
 * @param {Computed & { output: Float32Array }} computed
 * @param {Pick<Inspection, 'kind' | 'request' | 'pieces'> & Inspection['place']} place
 * @returns {Inspection}
 */
export function inspect(
  api,
  part,
  reading,
  computed,
  { head, row, column, kind, request, pieces },
) {
  const rows = part.rows ?? reading.rows;
  const columns = part.columns ?? reading.columns;
  const width = columns.length;
  const first = (head * rows.length + row) * width;
  const [, , valueDim] = part.value.dims;
  const at = (head * rows.length + row) * valueDim;
  return {
    place: { head, row, column },
    request,
    pieces,
    kind,
    options: computed.options,
    bias: part.biasAt?.(head, row, column),
    row: rows[row].text,
    columns: columns.map(({ text }) => text),
    x: part.x ? { row: copyRow(part.x.rows, row), column: copyRow(part.x.columns, column) } : null,
    query: copyRow(part.query, row, head),
    key: copyRow(part.key, column, head),
    values: part.value.data.slice(head * width * valueDim, (head + 1) * width * valueDim),
    stages: eachStage(computed.stages, (values) => values.slice(first, first + width)),
    output: computed.output.slice(at, at + valueDim),
    transformed: transformedOf(part, computed, head, column),
    together:
      part.projection && togetherOf(api, part, part.projection(), outputOf(part, computed), row),
  };
}

/**
 * v W_O of a column in one head, if W_O is known, or if the stage 'moved' was computed.
 * @param {VectorPart} part
 * @param {Computed} computed
 * @param {number} head
 * @param {number} column
 */
function transformedOf(part, { transformed }, head, column) {
  if (transformed) return copyRow(transformed, column, head);
  if (!part.projection) return undefined;
  const { data, dims } = part.projection().weight;
  const v = rowOf(part.value, column, head);
  const first = head * v.length; // row of W_O
  return Float64Array.from({ length: dims[1] }, (_, c) =>
    v.reduce((sum, number, i) => sum + number * data[(first + i) * dims[1] + c], 0),
  );
}

/**
 * Output of the heads; those that are switched off have 0.
 * @param {VectorPart} part
 * @param {{ output: Float32Array }} computed
 */
function outputOf({ heads, off = [] }, { output }) {
  const size = output.length / heads;
  /** @param {number} at */
  const isOff = (at) => off.includes(Math.floor(at / size));
  return off.length > 0 ? output.map((number, at) => (isOff(at) ? 0 : number)) : output;
}

/**
 * Concatenated heads of a row, and their product with W_O.
 * @param {AttentionApi} api
 * @param {VectorPart} part
 * @param {Projection} projection
 * @param {Float32Array} output
 * @param {number} row
 */
function togetherOf(api, { heads, value }, { weight, bias }, output, row) {
  const rows = output.length / heads / value.dims[2];
  const outputs = { data: output, dims: [heads, rows, value.dims[2]] };
  const joined = Float32Array.from(
    Array.from({ length: heads }, (_, head) => [...rowOf(outputs, row, head)]).flat(),
  );
  const layer = api.Linear.fromWeights({ weight, bias: { data: bias, dims: [bias.length] } });
  const { data: result } = layer.forward({ data: joined, dims: [1, joined.length] });
  layer.delete();
  const copied = { data: weight.data.slice(), dims: weight.dims };
  return { joined, weight: copied, bias: bias.slice(), result };
}
