// What can be blocked at a place of the picture: each action is { says, hint, key, block: the next state, isUndo }.

import { isMarks } from '../../positions.js';
import {
  hides,
  isHead,
  isOff,
  isWord,
  keysOf,
  placeOfPart,
  readBlocks,
  toggleBlock,
  withoutBlocks,
  writeBlock,
} from '../../blocks.js';
import { tokenName } from '../../token_name.js';
import { viewNamed } from '../../view_list.js';

/** @import { Block } from '../../blocks.js' */

/**
 * What can be blocked at a place; `block`: the next state.
 * @typedef {{ says: string, hint: string, key: string, block: string, isUndo?: boolean }} Action
 */

const nameOf = (label) => (isMarks(label) ? label.text : `“${tokenName(label.text)}”`);

/** Layer and heads that the view shows. */
function shownIn({ state, picture, head }) {
  const { stack, layer } = placeOfPart(picture.part);
  const isAll = picture.average || viewNamed(state.view).shows === 'layer' || picture.heads === 1;
  return { stack, layer, ...(!isAll && { head }) };
}

/** @type {(place: { layer: number, head?: number }) => string} */
const inWords = ({ layer, head }) =>
  `in layer ${layer + 1}, ${head === undefined ? 'all heads' : `head ${head + 1}`}`;

/**
 * Blocks the link of a row and a column, or allows it again. `reach`: 'all' layers and heads; 'layer', all heads of the
 * one that is shown; 'head'.
 */
export function linkAction(where, reach = 'all') {
  const { state, picture, row, column } = where;
  if (row === undefined || column === undefined) return null;
  // Exactly the tokens that are drawn: a word where its pieces are merged, else one of them.
  const rows = picture.rowTokens[row];
  const columns = picture.columnTokens[column];
  const { stack, layer, head } = shownIn(where);
  const [query, key] = [nameOf(picture.rows[row]), nameOf(picture.columns[column])];
  const pairs = rows.flatMap((one) => columns.map((other) => ({ row: one, column: other })));
  const isHidden = (block) => (pair) => hides(block, { stack, layer, head: head ?? 0, ...pair });
  const blocks = readBlocks(state.block).map(isHidden);
  if (pairs.every((pair) => blocks.some((hidesPair) => hidesPair(pair)))) {
    if (reach !== 'all') return null;
    const block = withoutBlocks(state.block, (one) => pairs.some(isHidden(one)));
    return { says: `Allow ${query} to look at ${key}`, hint: '', key: 'X', block, isUndo: true };
  }
  if (reach === 'head' && head === undefined) return null;
  const at = { all: { stack }, layer: { stack, layer }, head: { stack, layer, head } }[reach];
  const [says, hint, pressed] = {
    all: [`Block ${query} from ${key}`, 'in all layers and heads', 'X'],
    layer: ['… in this layer only', inWords({ layer }), 'Shift X'],
    head: ['… in this head only', inWords({ layer, head }), ''],
  }[reach];
  return { says, hint, key: pressed, block: toggleBlock(state.block, { ...at, rows, columns }) };
}

/** Hides a word, or a patch of an image, from all others, or shows it again. */
export function wordAction({ state, picture, facts, column }) {
  if (column === undefined) return null;
  const { stack } = placeOfPart(picture.part);
  const columns = picture.columnTokens[column];
  const word = { stack: keysOf(stack), columns };
  const block = toggleBlock(state.block, word);
  const isUndo = block.length < state.block.length;
  const key = nameOf(picture.columns[column]);
  const says = isUndo
    ? `Show ${key} again`
    : `Hide ${key} from all other ${facts.grid ? 'patches' : 'words'}`;
  return { says, hint: isUndo ? '' : 'in all layers and heads', key: 'H', block, isUndo };
}

const showsAll = ({ view }) => viewNamed(view).shows === 'all';

/** Switches a head off, or on again; `part`: that of a tile. */
export function headAction({ state, picture, facts, part = picture.part, head }) {
  const { heads, name } = facts.parts.find(({ id }) => id === part);
  const isAverage = part === picture.part && picture.average && !showsAll(state);
  if (head === undefined || head >= heads || isAverage) return null;
  const place = { ...placeOfPart(part), head };
  const isUndo = isOff(readBlocks(state.block), place);
  const block = toggleBlock(state.block, place);
  return {
    says: `Switch head ${head + 1} ${isUndo ? 'on again' : 'off'}`,
    hint: name,
    key: showsAll(state) ? 'X' : '',
    block,
    isUndo,
  };
}

/**
 * All actions at a place.
 * @returns {Action[]}
 */
export const actionsFor = (where) => {
  const ofLink =
    where.part === undefined || where.part === where.picture.part
      ? [...['all', 'layer', 'head'].map((reach) => linkAction(where, reach)), wordAction(where)]
      : [];
  return [...ofLink, headAction(where)].flatMap((action) => action ?? []);
};

/**
 * Places that the latest block can have: [{ name, title, block: the next state, isChosen }]; empty where the picture has another
 * text.
 */
export function reachesOf(where) {
  const { state, picture, row, column, head: selected } = where;
  const items = state.block.split(',');
  const [last] = readBlocks(items.at(-1));
  const { stack, layer: shownLayer, head: shownHead } = shownIn({ ...where, head: selected });
  const keys = keysOf(stack);
  if (row === undefined || last.stack !== (isWord(last) ? keys : stack)) return [];
  const { layer = shownLayer, head = shownHead } = last;
  const rows = last.rows ?? picture.rowTokens[row];
  const columns = last.columns ?? picture.columnTokens[column];
  const at = picture.columnTokens.findIndex((tokens) => tokens.includes(columns[0]));
  if (at < 0) return [];
  const key = nameOf(picture.columns[at]);
  const link = { rows, columns };
  const inHead = inWords({ layer, head });
  /** @type {(false | [string, string, Block])[]} */
  const all = [
    ['Everywhere', 'In all layers and heads', { stack, ...link }],
    [`Layer ${layer + 1}`, `In layer ${layer + 1}, all heads`, { stack, layer, ...link }],
    head !== undefined && [`Head ${head + 1}`, inHead, { stack, layer, head, ...link }],
    [`Whole word ${key}`, `${key} is hidden from all other words`, { stack: keys, columns }],
    head !== undefined && [`Head ${head + 1} off`, `All of it, ${inHead}`, { stack, layer, head }],
  ];
  return all.flatMap((one) => {
    if (!one) return [];
    const [name, title, block] = one;
    const item = writeBlock(block);
    const others = items.slice(0, -1).filter((other) => other !== item);
    return { name, title, block: [...others, item].join(','), isChosen: item === items.at(-1) };
  });
}

/** Which kinds of blocks a state has: { oneLayer, words, heads }. */
export function kindsIn(text) {
  const blocks = readBlocks(text);
  return {
    oneLayer: blocks.some((one) => one.rows !== undefined && one.layer !== undefined),
    words: blocks.some(isWord),
    heads: blocks.some(isHead),
  };
}
