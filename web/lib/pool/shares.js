// How a call of attention is divided: into shares of about the same work, each a few boxes of batch
// entries × key/value heads × queries. Every row is computed as it would be alone, so no division
// changes a bit.

// Queries that the kernels take together; a share of attention begins at a multiple of it.
const attentionBlock = 64;

/** For a batch entry the number of keys that each query sees, masks aside. */
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

/** The work of every block of queries of a batch entry, for one head. */
function blockCosts(options, facts, entry) {
  const { qLen, kLen, queryCost = 0, block = attentionBlock } = facts;
  const keys = visibleKeys(options, kLen, entry);
  const costs = [];
  for (let first = 0; first < qLen; first += block) {
    let cost = 0;
    for (let i = first; i < Math.min(first + block, qLen); i++) cost += keys(i) + queryCost;
    costs.push(cost);
  }
  return costs;
}

/** Multiply-adds of a call, for one number of d_k + d_v. */
export function countWork(options, facts) {
  let work = 0;
  // A batch of four billion empty sequences is no work.
  for (let entry = 0; facts.qLen > 0 && entry < facts.batch; entry++) {
    work += blockCosts(options, facts, entry).reduce((sum, cost) => sum + cost, 0);
  }
  return work * facts.heads;
}

/**
 * @param {object} options those of attention(), as read
 * @param {object} facts the numbers of the call; queryCost: work of a query beside that of its keys, in
 *   keys of one head; block: queries that stay together
 * @param {number} count of shares wanted
 * @param {boolean} headsTogether whether the heads of a query must stay in one share
 * @returns {{ batch: number[], heads: number[], queries: number[] }[][]} shares of boxes, ranges
 *   [first, last); heads are key/value heads
 */
export function divide(options, facts, count, headsTogether) {
  const { batch, kvHeads, qLen, block = attentionBlock } = facts;
  const groups = headsTogether ? [[0, kvHeads]] : ranges(kvHeads);
  const total = (countWork(options, facts) / facts.heads) * groups.length;
  const shares = Array.from({ length: count }, () => []);
  let done = 0;
  for (let entry = 0; entry < batch; entry++) {
    const costs = blockCosts(options, facts, entry);
    for (const heads of groups) {
      costs.forEach((cost, at) => {
        // A block belongs to the share in which its middle lies.
        const share = total === 0 ? 0 : Math.floor(((done + cost / 2) / total) * count);
        const queries = [at * block, Math.min((at + 1) * block, qLen)];
        extend(shares[Math.min(share, count - 1)], { batch: [entry, entry + 1], heads, queries });
        done += cost;
      });
    }
  }
  return shares.filter((share) => share.length > 0).map((share) => joined(share, qLen));
}

const ranges = (count) => Array.from({ length: count }, (_, at) => [at, at + 1]);

const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/** Adds a box to a share: to the last one where they are one box together. */
function extend(boxes, box) {
  const last = boxes.at(-1);
  if (last && same(last.batch, box.batch) && same(last.heads, box.heads)) {
    last.queries = [last.queries[0], box.queries[1]];
  } else {
    boxes.push({ ...box });
  }
}

/** Joins boxes of all queries: of neighbouring heads, then of neighbouring batch entries. */
function joined(boxes, qLen) {
  const isWhole = ({ queries }) => same(queries, [0, qLen]);
  const joinAlong = (list, axis, fits) =>
    list.reduce((joint, box) => {
      const last = joint.at(-1);
      const neighbours = last && last[axis][1] === box[axis][0] && fits(last, box);
      if (neighbours && isWhole(last) && isWhole(box)) last[axis] = [last[axis][0], box[axis][1]];
      else joint.push(box);
      return joint;
    }, []);
  const wide = joinAlong(boxes, 'heads', (a, b) => same(a.batch, b.batch));
  return joinAlong(wide, 'batch', (a, b) => same(a.heads, b.heads));
}

/** [first, last) of `count` things for each of `parts`, as even as can be. */
export function evenRanges(count, parts) {
  const cuts = Array.from({ length: parts + 1 }, (_, at) => Math.round((at * count) / parts));
  return cuts.slice(1).map((last, at) => [cuts[at], last]);
}
