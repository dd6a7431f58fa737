// Divides a call of attention() into ranges: some batch entries, key/value heads (with the query heads that share them)
// and query rows, each [first, last). Rows do not influence each other, so results have the same bits for every division.
// The pool divides calls among workers, the heap to save memory. Each range is computed as a call of its own.
import { copyBox, writeBox, viewBox } from './box.js';
import { sizeOf } from './dims.js';

/**
 * @import { AttentionCall, AttentionFields, Enums } from './attention_options.js'
 * @import { Allocate, Range } from './box.js'
 * @import { TensorInput } from './tensor.js'
 * @typedef {{ batch: Range, kvHeads: Range, queries: Range }} CallRange a range of a call of attention()
 * @typedef {(tensor: TensorInput, box: readonly Range[]) => TensorInput} Take copyBox() or viewBox()
 */

/** @type {(count: number) => Range} */
const fullRange = (count) => [0, count];
const isSame = (/** @type {Range} */ a, /** @type {Range} */ b) => a[0] === b[0] && a[1] === b[1];
const countIn = (/** @type {Range} */ [first, last]) => last - first;
/** @type {(range: Range, factor: number) => Range} */
const scaled = ([first, last], factor) => [first * factor, last * factor];

/**
 * Axes of a query, key, value or output by rank; `width` is heads × dim.
 *
 * @type {Record<number, readonly string[]>}
 */
const headAxes = {
  4: ['batch', 'heads', 'rows', 'dim'],
  3: ['batch', 'rows', 'width'],
  2: ['rows', 'width'],
};
const pairAxes = ['batch', 'heads', 'queries', 'keys'];

/** @type {(axes: readonly string[], ranges: Record<string, Range>) => Range[]} */
const boxOf = (axes, ranges) => axes.map((axis) => ranges[axis]);

/**
 * The query heads of a range.
 *
 * @type {(range: CallRange, facts: Record<string, number>) => Range}
 */
const queryHeads = ({ kvHeads }, facts) => scaled(kvHeads, facts.heads / facts.kvHeads);

/**
 * The box of a tensor of heads.
 *
 * @param {number} rank
 * @param {Range} batch
 * @param {Range} heads
 * @param {Range} rows
 * @param {number} dim
 */
function headsBox(rank, batch, heads, rows, dim) {
  const width = scaled(heads, dim);
  return boxOf(headAxes[rank], { batch, heads, rows, width, dim: fullRange(dim) });
}

/**
 * The slice of a mask for ranges of the axes 'batch' to 'keys'. A broadcast axis, of size 1, is unchanged.
 *
 * @param {TensorInput} mask
 * @param {Record<string, Range>} ranges
 * @param {Take} take
 */
export function maskOfRange(mask, ranges, take = copyBox) {
  const axes = pairAxes.slice(-mask.dims.length);
  return take(
    mask,
    axes.map((axis, at) => (mask.dims[at] === 1 ? fullRange(1) : ranges[axis])),
  );
}

/**
 * The option fields for a range of batch entries, query heads, query rows and keys from 0.
 *
 * @template {AttentionFields} Fields
 * @param {Fields} fields
 * @param {{ batch: Range, heads: Range, queries: Range, keys: Range }} range
 * @param {Take} take
 * @returns {Fields}
 */
export function optionsOfRange(fields, { batch, heads, queries, keys }, take = copyBox) {
  const { offset = 0, offsets, mask, keyLengths, slopes, sinks } = fields;
  const needsPositions = fields.causal || fields.window || slopes;
  const before = offsets?.slice(...batch) ?? Array(countIn(batch)).fill(offset);
  const moved = (/** @type {number} */ number) =>
    Math.min(number + queries[0], Number.MAX_SAFE_INTEGER);
  return {
    __proto__: null,
    ...fields,
    offset: undefined,
    offsets: needsPositions ? before.map(moved) : undefined,
    mask: mask && maskOfRange(mask, { batch, heads, queries, keys }, take),
    keyLengths: keyLengths?.slice(...batch).map((length) => Math.min(length, keys[1])),
    slopes: slopes?.slice(...heads),
    sinks: sinks?.slice(...heads),
  };
}

/**
 * The number of leading keys that contains all keys visible to the queries of a range.
 *
 * @param {CallRange} range
 * @param {AttentionFields} fields
 * @param {Record<string, number>} facts
 */
function visibleKeys({ batch, queries }, { causal, offset = 0, offsets }, { kLen }) {
  if (!causal) return kLen;
  const before = offsets?.slice(...batch) ?? [offset];
  const furthest = before.reduce((max, number) => Math.max(max, number), -Infinity);
  return Math.min(kLen, Math.max(0, furthest + queries[1]));
}

/**
 * The fields of the call of each range, one after another.
 *
 * @param {AttentionCall} fields the record of the whole call, by name
 * @param {readonly CallRange[]} ranges
 * @param {Record<string, number>} facts the sizes of the whole call
 * @param {Allocate} [allocate] for a worker: tensors are copied into such arrays, without the last keys that are visible
 *   to no query
 * @returns {Generator<AttentionCall, void>}
 */
export function* callsOfRanges(fields, ranges, facts, allocate) {
  const { query, key, value, returnWeights, returnScores } = fields;
  const isForWorker = allocate !== undefined;
  /** @type {Take} */
  const take = isForWorker ? (tensor, box) => copyBox(tensor, box, allocate) : viewBox;
  const trims = isForWorker && !returnWeights && !returnScores;
  const rank = query.dims.length;
  const isNamed = rank === 3 || (rank === 2 && fields.heads !== undefined);
  /** @type {CallRange | undefined} */
  let before; // the previous range, which may have the same keys
  let keysAndValues = { key, value };
  for (const range of ranges) {
    const { batch, kvHeads, queries } = range;
    const heads = queryHeads(range, facts);
    /** @type {Range} */
    const keys = [0, trims ? visibleKeys(range, fields, facts) : facts.kLen];
    const hasSameKeys =
      before && isSame(before.batch, batch) && isSame(before.kvHeads, kvHeads) && !isForWorker;
    if (!hasSameKeys) {
      keysAndValues = {
        key: take(key, headsBox(rank, batch, kvHeads, keys, facts.keyDim)),
        value: take(value, headsBox(rank, batch, kvHeads, keys, facts.valueDim)),
      };
    }
    before = range;
    yield {
      ...optionsOfRange(fields, { batch, heads, queries, keys }, take),
      heads: isNamed ? countIn(heads) : undefined,
      kvHeads: isNamed ? countIn(kvHeads) : undefined,
      query: take(query, headsBox(rank, batch, heads, queries, facts.keyDim)),
      ...keysAndValues,
    };
  }
}

/**
 * Writes the numbers of one result of a range into the result of the whole call.
 *
 * @param {string} name
 * @param {{ data: Float32Array, dims: number[] }} result
 * @param {CallRange} range
 * @param {Float32Array} numbers
 * @param {AttentionCall} fields
 * @param {Record<string, number>} facts
 * @param {Enums} enums
 */
export function writeResult(name, result, range, numbers, fields, facts, enums) {
  const rank = fields.query.dims.length;
  const heads = queryHeads(range, facts);
  const { batch, queries } = range;
  if (name === 'output') {
    writeBox(result, headsBox(rank, batch, heads, queries, facts.valueDim), numbers);
    return;
  }
  const isAverage = name === 'weights' && fields.returnWeights === enums.Weights.average;
  const hasHeads = !isAverage && (rank > 2 || fields.heads !== undefined);
  const axes = pairAxes.filter(
    (axis) =>
      (axis !== 'batch' || rank > 2) &&
      (axis !== 'heads' || hasHeads) &&
      (axis !== 'keys' || name !== 'logSumExp'),
  );
  writeBox(result, boxOf(axes, { batch, heads, queries, keys: fullRange(facts.kLen) }), numbers);
}

// Minimum count of returned numbers, or of keys and values per range, for which dividing is faster, and the maximum
// count of returned numbers per range.
const minNumbers = 32768;
const maxReturnedNumbers = 524288;

/**
 * The ranges that save memory: large keys and values are copied into the module one head at a time; large weights and
 * scores are copied out a few query rows at a time, while they are still in the processor's cache.
 *
 * @param {AttentionCall} fields
 * @param {Record<string, number>} facts
 * @param {Enums} enums
 * @returns {CallRange[] | undefined} undefined if the call need not be divided
 */
export function memoryRanges(fields, facts, enums) {
  const { returnWeights, returnScores, query, key, value } = fields;
  const { batch, heads, kvHeads, qLen, kLen } = facts;
  const isAverage = returnWeights === enums.Weights.average;
  const groups = isAverage ? batch : batch * kvHeads;
  const shared = (heads * batch) / groups;
  // Other types are names of typed arrays, which are converted to float32.
  const isFloat32 = ![key.type, value.type].some((type) => type in enums.NumberType);
  const dividesKeys =
    groups > 1 &&
    (query.dims.length === 4 || groups === batch) &&
    isFloat32 &&
    sizeOf(key.dims) + sizeOf(value.dims) >= groups * minNumbers;
  const returned = returnWeights || returnScores ? kLen * (isAverage ? 1 : shared) : 0; // of a query row
  const dividesReturned = returned * qLen >= minNumbers;
  const tooLarge = groups * returned * qLen * Float32Array.BYTES_PER_ELEMENT > enums.Limit.bytes;
  if (!(dividesKeys || dividesReturned) || tooLarge) return undefined;
  const perRow = returnScores ? kLen * shared : returned;
  const block = enums.Block.queries;
  const blocks = Math.max(1, Math.floor(maxReturnedNumbers / (perRow * block)));
  const rows = dividesReturned ? blocks * block : qLen;
  /** @type {CallRange[]} */
  const ranges = [];
  for (let entry = 0; entry < batch; entry++) {
    for (let head = 0; head < kvHeads; head += isAverage ? kvHeads : 1) {
      for (let first = 0; first < qLen; first += rows) {
        ranges.push({
          batch: [entry, entry + 1],
          kvHeads: isAverage ? fullRange(kvHeads) : [head, head + 1],
          queries: [first, Math.min(first + rows, qLen)],
        });
      }
    }
  }
  return ranges.length > 1 || qLen === 0 ? ranges : undefined;
}
