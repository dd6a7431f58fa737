// Divides a call of attention among workers: into shards of similar work, each a few ranges (see arguments/ranges.js).

/** A function from a query to the number of keys visible to it in a batch entry, without masks. */
function visibleKeys({ causal, window, offset, keyLengths }, kLen, entry) {
  const length = keyLengths ? keyLengths[entry] : kLen;
  const before = Array.isArray(offset) ? offset[entry] : (offset ?? 0);
  return (query) => {
    const position = before + query;
    const [left, right] = window ?? [null, null];
    const first = left === null ? 0 : Math.max(0, position - left);
    let last = length;
    if (causal) last = Math.min(last, position + 1);
    if (right !== null) last = Math.min(last, position + right + 1);
    return Math.max(0, last - first);
  };
}

/** The work of each query block of a batch entry, for one head. */
function blockCosts(options, facts, entry) {
  const { qLen, kLen, queryCost = 0, block } = facts;
  const keys = visibleKeys(options, kLen, entry);
  const costs = [];
  for (let first = 0; first < qLen; first += block) {
    let cost = 0;
    for (let i = first; i < Math.min(first + block, qLen); i++) cost += keys(i) + queryCost;
    costs.push(cost);
  }
  return costs;
}

/** Multiply-adds of a call, divided by d_k + d_v. */
export function countWork(options, facts) {
  const { heads, qLen, batch } = facts;
  // Without numbers of queries, batch and qLen can be 2^32.
  if (heads === 0 || qLen === 0) return 0;
  let work = 0;
  for (let entry = 0; entry < batch; entry++) {
    work += blockCosts(options, facts, entry).reduce((sum, cost) => sum + cost, 0);
  }
  return work * heads;
}

/**
 * @param {object} options those of attention(), as read
 * @param {object} facts sizes of the call; queryCost: work of a query apart from that of its keys, in keys of one
 *   head; block: number of queries that must stay in one shard, whose multiples are its bounds
 * @param {number} count maximum number of shards
 * @param {boolean} headsTogether whether all heads of a query must be in one shard
 * @returns {{ batch: number[], kvHeads: number[], queries: number[] }[][]} shards: lists of ranges, [first, last) each
 */
export function divide(options, facts, count, headsTogether) {
  const { batch, kvHeads, qLen, block } = facts;
  const groups = headsTogether ? [[0, kvHeads]] : each(kvHeads);
  const total = (countWork(options, facts) / facts.heads) * groups.length;
  const shards = Array.from({ length: count }, () => []);
  let done = 0;
  for (let entry = 0; entry < batch; entry++) {
    const costs = blockCosts(options, facts, entry);
    for (const kvHeads of groups) {
      costs.forEach((cost, at) => {
        // A block belongs to the shard that contains its middle.
        const shard = total === 0 ? 0 : Math.floor(((done + cost / 2) / total) * count);
        const queries = [at * block, Math.min((at + 1) * block, qLen)];
        extend(shards[Math.min(shard, count - 1)], { batch: [entry, entry + 1], kvHeads, queries });
        done += cost;
      });
    }
  }
  return shards.filter((shard) => shard.length > 0).map((shard) => joined(shard, qLen));
}

const each = (count) => Array.from({ length: count }, (_, at) => [at, at + 1]);

const isSame = (a, b) => a[0] === b[0] && a[1] === b[1];

/** Appends a range to a shard, or extends its last range where they are adjacent. */
function extend(ranges, range) {
  const last = ranges.at(-1);
  if (last && isSame(last.batch, range.batch) && isSame(last.kvHeads, range.kvHeads)) {
    last.queries = [last.queries[0], range.queries[1]];
  } else {
    ranges.push({ ...range });
  }
}

/** Joins ranges of all queries: of adjacent heads, then of adjacent batch entries. */
function joined(ranges, qLen) {
  const hasAllQueries = ({ queries }) => isSame(queries, [0, qLen]);
  const joinAlong = (list, axis, fits) =>
    list.reduce((joint, box) => {
      const last = joint.at(-1);
      const isAdjacent = last && last[axis][1] === box[axis][0] && fits(last, box);
      if (isAdjacent && hasAllQueries(last) && hasAllQueries(box))
        last[axis] = [last[axis][0], box[axis][1]];
      else joint.push(box);
      return joint;
    }, []);
  const wide = joinAlong(ranges, 'kvHeads', (a, b) => isSame(a.batch, b.batch));
  return joinAlong(wide, 'batch', (a, b) => isSame(a.kvHeads, b.kvHeads));
}

/** Divides 0 … count into rangeCount ranges [first, last) of similar size. */
export function evenRanges(count, rangeCount) {
  const cuts = Array.from({ length: rangeCount + 1 }, (_, at) =>
    Math.round((at * count) / rangeCount),
  );
  return cuts.slice(1).map((last, at) => [cuts[at], last]);
}
