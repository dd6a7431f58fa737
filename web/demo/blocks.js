// What is blocked in a model, as text in the state: items separated by commas.
//   cross.1.0:2.3-1   link: tokens 2 and 3 do not look at token 1, in layer 1, head 0 (cross.1: all heads; cross: all
//                     layers)
//   encoder:4         hidden word: no other token looks at token 4, in any layer; nor do those of cross-attention
//   cross.1.0         head that is switched off
// Tokens are positions in the text that queries and keys of this attention have.

/** @import { Edit, StackName } from 'attention-wasm/models' */

const maxItems = 64;

/**
 * A head that is switched off; of all layers or heads where none is named.
 * @typedef {{ stack: string, layer?: number, head?: number, rows?: undefined, columns?: undefined }} HeadBlock
 */
/**
 * A hidden word: `columns` are its tokens.
 * @typedef {{ stack: string, layer?: undefined, head?: undefined, rows?: undefined, columns: number[] }} WordBlock
 */
/**
 * A link from each token of `rows` to each of `columns`.
 * @typedef {{ stack: string, layer?: number, head?: number, rows: number[], columns: number[] }} LinkBlock
 */
/** @typedef {HeadBlock | WordBlock | LinkBlock} Block */

/**
 * Layers, heads, queries and keys of a stack.
 * @typedef {{ layers: number, heads: number, queries: number, keys: number }} StackCounts
 */
/**
 * An attention, or a head of it.
 * @typedef {{ stack: string, layer: number, head: number }} HeadPlace
 */

/**
 * @param {string} text
 * @returns {Block[]}
 */
export const readBlocks = (text) => (text === '' ? [] : text.split(',').map(readBlock));

/** @param {string} text */
function readBlock(text) {
  const [where, tokens] = text.split(':');
  const [stack, layer, head] = where.split('.');
  const sides = tokens?.split('-').map((side) => side.split('.').map(Number));
  const block = {
    stack,
    ...(layer !== undefined && { layer: Number(layer) }),
    ...(head !== undefined && { head: Number(head) }),
    ...(sides && { columns: sides.at(-1) }),
    ...(sides?.length === 2 && { rows: sides[0] }),
  };
  return /** @type {Block} */ (block);
}

/**
 * Inverse of readBlocks().
 * @param {Block[]} blocks
 */
export const writeBlocks = (blocks) => blocks.slice(-maxItems).map(writeBlock).join(',');

/** @param {Block} block */
export function writeBlock({ stack, layer, head, rows, columns }) {
  const where = [stack, layer, head].filter((one) => one !== undefined).join('.');
  const sides = [rows, columns].flatMap((tokens) => (tokens ? [tokens.join('.')] : []));
  return sides.length === 0 ? where : `${where}:${sides.join('-')}`;
}

/** @type {(block: Block) => block is HeadBlock} */
export const isHead = (block) => block.columns === undefined;
/** @type {(block: Block) => block is WordBlock} */
export const isWord = (block) => block.columns !== undefined && block.rows === undefined;

/**
 * Stack and layer of a part.
 * @param {string} id
 */
export function placeOfPart(id) {
  const [stack, layer] = id.split('.');
  return { stack, layer: Number(layer) };
}

/**
 * Stack whose tokens are the keys of an attention.
 * @param {string} stack
 */
export const keysOf = (stack) => (stack === 'cross' ? 'encoder' : stack);

/**
 * Adds a block, unless it is there; removes it if it is.
 * @param {string} text
 * @param {Block} block
 */
export function toggleBlock(text, block) {
  const item = writeBlock(block);
  const items = text === '' ? [] : text.split(',');
  if (items.includes(item)) return items.filter((one) => one !== item).join(',');
  return [...items, item].slice(-maxItems).join(',');
}

/**
 * Removes the blocks for which `isGone(block)`.
 * @param {string} text
 * @param {(block: Block) => boolean} isGone
 */
export const withoutBlocks = (text, isGone) =>
  writeBlocks(readBlocks(text).filter((block) => !isGone(block)));

/**
 * True if a block hides one token from another in a head.
 * @param {Block} block
 * @param {HeadPlace & { row: number, column: number }} place
 */
export function hides(block, { stack, layer, head, row, column }) {
  if (isHead(block) || !block.columns.includes(column)) return false;
  if (isWord(block)) {
    if (block.stack !== keysOf(stack)) return false;
    return stack === 'cross' || !ownRows(block).includes(row);
  }
  /** @type {(name: 'layer' | 'head', value: number) => boolean} */
  const isAt = (name, value) => block[name] === undefined || block[name] === value;
  return (
    block.stack === stack && isAt('layer', layer) && isAt('head', head) && block.rows.includes(row)
  );
}

// Queries that are the hidden word itself. The decoder's input begins with a start token, so that query t is token t
// of the input in every stack.
/** @param {WordBlock} block */
const ownRows = ({ columns }) => columns;

/**
 * True if the head of a part is switched off.
 * @param {Block[]} blocks
 * @param {HeadPlace} place
 */
export const isOff = (blocks, { stack, layer, head }) =>
  blocks.some(
    (one) => isHead(one) && one.stack === stack && one.layer === layer && one.head === head,
  );

/** @param {number} count */
const all = (count) => Array.from({ length: count }, (_, at) => at);

/**
 * Edits of the library for blocks; blocks of stacks without counts, and positions beyond the counts, are left out. A count of
 * Infinity: all positions, including those to come.
 * @param {Block[]} blocks
 * @param {{ [stack in StackName]?: StackCounts }} stacks
 * @returns {Edit[]}
 */
export function editsOf(blocks, stacks, maxQueries = 512) {
  return blocks.flatMap((block) => {
    const names = isWord(block)
      ? Object.keys(stacks).filter((one) => keysOf(one) === block.stack)
      : [block.stack];
    const targets = /** @type {StackName[]} */ (names);
    return targets.flatMap((stack) => {
      const counts = stacks[stack];
      if (!counts) return [];
      const { layers, heads, queries, keys } = counts;
      const { layer, head } = block;
      if (layer !== undefined && layer >= layers) return [];
      if (head !== undefined && head >= heads) return [];
      const where = { layer: layer ?? all(layers), stack, ...(head !== undefined && { head }) };
      // Queries that see no key give 0: the head adds nothing.
      if (isHead(block))
        return head === undefined ? [] : [{ at: 'scores', ...where, to: 'blocked' }];
      const { rows, columns } = block;
      const key = columns.filter((token) => token < keys);
      const others = () =>
        all(Math.min(queries, maxQueries)).filter((token) => !key.includes(token));
      const isAll = isWord(block) && stack === 'cross';
      const query = isAll ? null : rows ? rows.filter((token) => token < queries) : others();
      if (key.length === 0 || query?.length === 0) return [];
      return [{ at: 'scores', ...where, ...(query && { query }), key, to: 'blocked' }];
    });
  });
}

/**
 * Which pairs of tokens are blocked in each head of a part: heads × rows × columns, or null for none.
 * @param {Block[]} blocks
 * @param {{ id: string, heads: number }} part
 * @param {number} rows
 * @param {number} columns
 */
export function blockedPairs(blocks, { id, heads }, rows, columns) {
  const place = placeOfPart(id);
  const links = blocks.filter((one) => !isHead(one));
  /** @type {Uint8Array | null} */
  let found = null;
  for (const link of links) {
    for (let head = 0; head < heads; ++head) {
      for (const column of link.columns.filter((token) => token < columns)) {
        for (const row of link.rows ?? all(rows)) {
          if (row >= rows || !hides(link, { ...place, head, row, column })) continue;
          (found ??= new Uint8Array(heads * rows * columns))[
            (head * rows + row) * columns + column
          ] = 1;
        }
      }
    }
  }
  return found;
}
