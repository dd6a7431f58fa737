// Differences of two recordings of the page, as lines for people.

const maxLines = 12; // of one difference

/** Lines of a text that one side alone has, by the longest common subsequence: [' - …', ' + …']. */
function differentLines(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) ++start;
  let [end, other] = [before.length, after.length];
  while (end > start && other > start && before[end - 1] === after[other - 1]) {
    --end;
    --other;
  }
  const [left, right] = [before.slice(start, end), after.slice(start, other)];
  const width = right.length + 1;
  const longest = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; --row) {
    for (let column = right.length - 1; column >= 0; --column) {
      const at = row * width + column;
      longest[at] =
        left[row] === right[column]
          ? longest[at + width + 1] + 1
          : Math.max(longest[at + width], longest[at + 1]);
    }
  }
  const lines = [];
  for (let row = 0, column = 0; row < left.length || column < right.length;) {
    const at = row * width + column;
    if (row < left.length && column < right.length && left[row] === right[column]) {
      ++row;
      ++column;
    } else if (
      column === right.length ||
      (row < left.length && longest[at + width] >= longest[at + 1])
    ) {
      lines.push(`- ${left[row++]}`);
    } else lines.push(`+ ${right[column++]}`);
  }
  return lines;
}

/** The leaves of a value as [path, value]. */
function* leavesOf(value, path = '') {
  if (typeof value !== 'object' || value === null) yield [path, value];
  else {
    for (const [name, one] of Object.entries(value)) {
      yield* leavesOf(one, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
    }
  }
}

/** Leaves of two JSON texts that differ. */
function differentLeaves(before, after) {
  const [left, right] = [before, after].map((text) =>
    Object.fromEntries(leavesOf(JSON.parse(text))),
  );
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((path) => !Object.is(left[path], right[path]))
    .map((path) => `${path}: ${left[path]} → ${right[path]}`);
}

const isJSON = (text) => /^\{/.test(text ?? '');

function differencesOf(before, after) {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    return differentLines(before, after);
  }
  if (isJSON(before) && isJSON(after)) return differentLeaves(before, after);
  const isLong = [before, after].every((one) => typeof one === 'string' && one.includes('\n'));
  if (isLong) return differentLines(before.split('\n'), after.split('\n'));
  return [`${JSON.stringify(before)} → ${JSON.stringify(after)}`];
}

/** What is recorded of an address, by a name for each: texts, or lists of lines. */
function partsOf({ address, steps = [], exports = {}, stops, back, says, failed }) {
  const parts = new Map(Object.entries({ 'address that was opened': address, failed }));
  for (const [at, { did, tree, ...rest }] of steps.entries()) {
    const step = at === 0 ? 'as it opens' : `after action ${at}`;
    parts.set(`${step}: action`, did);
    for (const [name, text] of Object.entries(rest)) parts.set(`${step}: ${name}`, text);
    parts.set(`${step}: accessibility tree`, tree);
  }
  for (const [way, file] of Object.entries(exports)) {
    for (const [name, text] of Object.entries(file)) parts.set(`exported ${way}: ${name}`, text);
  }
  parts.set('focus stops', stops);
  parts.set('address after Back', back?.address);
  parts.set('sentence after Back', back?.sentence);
  return parts.set('console', says);
}

/**
 * Differences of two recordings { seed, pages }, a page for each address, in the addresses that both have: { common, count,
 * lines }: how many those are, how many of them differ, and the differences as lines.
 * @throws an Error for recordings of other addresses
 */
export function compareRecords(before, after) {
  if (before.seed !== after.seed) {
    throw new Error(`the seed is ${before.seed} in one recording and ${after.seed} in the other`);
  }
  const others = new Map(after.pages.map((page) => [page.index, page]));
  const common = before.pages.filter(({ index }) => others.has(index));
  if (common.length === 0) throw new Error('the recordings have no address in common');
  let count = 0;
  const lines = [];
  for (const page of common) {
    const [parts, otherParts] = [partsOf(page), partsOf(others.get(page.index))];
    const found = [];
    for (const name of new Set([...parts.keys(), ...otherParts.keys()])) {
      const all = differencesOf(parts.get(name), otherParts.get(name));
      if (all.length === 0) continue;
      found.push(`  ${name}`, ...all.slice(0, maxLines).map((line) => `    ${line}`));
      if (all.length > maxLines) found.push(`    … and ${all.length - maxLines} more`);
    }
    if (found.length === 0) continue;
    ++count;
    lines.push(`${page.index}: ${page.address}`, ...found);
  }
  return { common: common.length, count, lines };
}
