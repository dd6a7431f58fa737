// One call of attention() as calls for boxes of it, and their results put together.
import { cut, put } from './tensor_part.js';

/** Axes of a query, a key or an output by what they count; `width` is heads side by side. */
const layouts = {
  4: ['batch', 'heads', 'rows', 'all'],
  3: ['batch', 'rows', 'width'],
  2: ['rows', 'width'],
};

/** Axes of what is given of every query and key. */
function matrixAxes(rank, headsNamed, averaged) {
  const axes = ['batch', 'heads', 'queries', 'keys'];
  const without = (...names) => axes.filter((axis) => !names.includes(axis));
  if (rank > 2) return averaged ? without('heads') : axes;
  return averaged || !headsNamed ? without('batch', 'heads') : without('batch');
}

const whole = (dims) => dims.map((dim) => [0, dim]);

/** The options and tensors of a call for one box of a call. Keys that no query of the box sees are left out if `trims`. */
export function partOfCall(box, { query, key, value }, options, facts, trims) {
  const rank = query.dims.length;
  const group = facts.heads / facts.kvHeads;
  const heads = box.heads.map((head) => head * group);
  const keys = [0, trims ? lastKey(box, options, facts) : facts.kLen];

  const part = (tensor, rows, headRange, dim) => {
    const ranges = {
      batch: box.batch,
      heads: headRange,
      rows,
      width: headRange.map((head) => head * dim),
      all: [0, dim],
    };
    return cut(
      tensor,
      layouts[rank].map((axis) => ranges[axis]),
    );
  };
  const count = heads[1] - heads[0];
  const named = rank > 2 || options.heads !== undefined;
  const own = {
    __proto__: null,
    ...optionsOfPart({ ...box, heads }, options, keys),
    heads: rank === 4 || !named ? undefined : count,
    kvHeads: rank === 4 || !named ? undefined : box.heads[1] - box.heads[0],
  };
  const tensors = {
    query: part(query, box.queries, heads, facts.keyDim),
    key: part(key, keys, box.heads, facts.keyDim),
    value: part(value, keys, box.heads, facts.valueDim),
  };
  return { options: own, tensors };
}

/** The options of a call as they are for some of its batch entries, heads, queries and keys. */
export function optionsOfPart({ batch, heads, queries }, options, keys) {
  const perHead = (list) => list?.slice(...heads);
  const perEntry = (list) => list?.slice(...batch);
  const { window, causal, offset, mask, keyLengths, slopes, sinks } = options;
  const looksAtPositions = causal || window || slopes;
  const before = Array.isArray(offset)
    ? perEntry(offset)
    : Array(batch[1] - batch[0]).fill(offset ?? 0);
  // Without a prototype, as options are read.
  return {
    __proto__: null,
    ...options,
    offset: looksAtPositions ? before.map((keysBefore) => keysBefore + queries[0]) : undefined,
    mask: mask && maskPart(mask, { batch, heads, queries, keys }),
    keyLengths: perEntry(keyLengths)?.map((length) => Math.min(length, keys[1])),
    slopes: perHead(slopes),
    sinks: perHead(sinks),
  };
}

/** The keys after the last one that any query of a box sees. */
function lastKey({ batch, queries }, { causal, offset }, { kLen }) {
  if (!causal) return kLen;
  const before = Array.isArray(offset) ? offset.slice(...batch) : [offset ?? 0];
  const furthest = before.reduce((max, keysBefore) => Math.max(max, keysBefore), -Infinity);
  return Math.min(kLen, Math.max(0, furthest + queries[1]));
}

/** A mask is aligned to the right; an axis of 1 is repeated and stays. */
export function maskPart(mask, ranges) {
  const axes = ['batch', 'heads', 'queries', 'keys'].slice(-mask.dims.length);
  const box = whole(mask.dims).map((range, at) => (mask.dims[at] === 1 ? range : ranges[axes[at]]));
  return cut(mask, box);
}

/** Puts the results of one box where they belong. */
export function putPart(results, box, part, { rank, options, facts }) {
  const group = facts.heads / facts.kvHeads;
  const heads = box.heads.map((head) => head * group);
  const ranges = {
    batch: box.batch,
    heads,
    rows: box.queries,
    queries: box.queries,
    width: heads.map((head) => head * facts.valueDim),
    all: [0, facts.valueDim],
    keys: [0, facts.kLen],
  };
  const headsNamed = options.heads !== undefined;
  const axesOf = (name) => {
    if (name === 'output') return layouts[rank];
    const averaged = name === 'weights' && options.weights === 'average';
    const axes = matrixAxes(rank, headsNamed, averaged);
    return name === 'logSumExp' ? axes.slice(0, -1) : axes;
  };
  for (const [name, result] of Object.entries(results)) {
    put(
      result,
      axesOf(name).map((axis) => ranges[axis]),
      part[name].data,
    );
  }
}
