// Tables of token embeddings that a file has under several names (input, encoder, decoder, head). Each use has the table of
// its own name, whatever the config says of tying; equal tables become one.

/** Whether two tensors have the same bytes. Their rows are read in turns, because a block is valid until the next one. */
async function areEqual(weights, first, second) {
  const [a, b] = [first, second].map((name) => weights.describe(name));
  if (a.file && a.file === b.file && a.byteOffset === b.byteOffset) return true; // two names of one tensor
  if (a.type !== b.type || String(a.dims) !== String(b.dims)) return false;
  const others = weights.rows(second);
  try {
    for await (const { tensor } of weights.rows(first)) {
      const own = [tensor.data.slice(), tensor.scales?.slice()];
      const { value } = await others.next();
      const same = [value.tensor.data, value.tensor.scales];
      // Bits of 16-bit floats are integers; NaN equals NaN.
      if (own.some((numbers, n) => numbers?.some((x, at) => !Object.is(x, same[n][at]))))
        return false;
    }
    return true;
  } finally {
    await others.return();
  }
}

/** Every object of the plan with a table that may be another one's: { words }. */
function usesOf({ stacks, head, isTied }) {
  const embeds = Object.values(stacks).flatMap(({ embed }) => embed ?? []);
  return [...embeds, ...(head?.steps ?? []).filter(({ words }) => words && isTied)];
}

/**
 * Gives equal tables of a plan one name, and throws for a tensor that has another name of a planned one, but other
 * numbers, and no use of its own.
 *
 * @param {Set<string>} planned all planned names
 */
export async function mergeEqualTables(plan, weights, planned) {
  const tables = [];
  for (const use of usesOf(plan)) {
    let { words } = use;
    for (const table of tables) {
      if (table.name !== words.name && (await areEqual(weights, table.name, words.name))) {
        words = table;
      }
    }
    use.words = words;
    if (!tables.includes(words)) tables.push(words);
  }
  for (const names of plan.aliases) {
    const used = names.find((name) => planned.has(name));
    for (const other of used ? names : []) {
      if (planned.has(other) || (await areEqual(weights, used, other))) continue;
      throw new RangeError(
        `tensors '${used}' and '${other}' differ, but this ${plan.type} model has one tensor of these names`,
      );
    }
  }
}
