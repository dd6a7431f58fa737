// Fields of the page's state: default and parser of each.

import { kinds } from './kinds.js';
import { readIdentity } from './model_identity.js';
import { views } from './view_list.js';

/** @import { KindName } from './kinds.js' */
/** @import { State } from './state/types' */

/**
 * A field: its default, and its parser, which returns undefined for an invalid text.
 * @template T
 * @typedef {{ initial: T, read: (text: string) => T | undefined }} Field
 */

/**
 * @template {string} T
 * @param {T[]} values the first is the default
 * @returns {Field<T>}
 */
const oneOf = (...values) => ({
  initial: values[0],
  read: (text) => values.find((v) => v === text),
});
const switches = new Map([
  ['yes', true],
  ['no', false],
]);
/** @param {string} given */
const readSwitch = (given) => switches.get(given);
/** @type {Field<boolean>} */
const off = { initial: false, read: readSwitch };
/** @type {Field<boolean>} */
const on = { initial: true, read: readSwitch };
/** @type {Field<boolean | null>} */
const unset = { initial: null, read: readSwitch };
/** @type {(initial: string) => Field<string>} */
const text = (initial) => ({ initial, read: (given) => given });
/** @type {(min: number, max: number) => Field<number>['read']} */
const within = (min, max) => (given) => {
  const value = Number(given);
  return given.trim() !== '' && value >= min && value <= max ? value : undefined;
};
/** @type {(initial: number, min: number, max: number) => Field<number>} */
const number = (initial, min, max) => ({ initial, read: within(min, max) });
/**
 * @template {number | null} T
 * @param {T} initial
 * @param {number} min
 * @param {number} max
 * @returns {Field<number | T>}
 */
const whole = (initial, min, max) => ({
  initial,
  read: (given) => (/^\d+$/.test(given) ? within(min, max)(given) : undefined),
});

export const maxLookupEntries = 12;
/**
 * Price list of the tour's first step: names with their prices.
 * @typedef {{ query: string, entries: [string, string][], temperature: number }} Lookup
 */
/** @type {Lookup} */
const lookup = {
  query: 'teas',
  entries: [
    ['tea', '2'],
    ['teapot', '12'],
    ['coffee', '4'],
    ['cake', '6'],
  ],
  temperature: 1,
};

// Alternatives in the comparison: the same picture with another text, nothing blocked, scale, kind, head or layer.
const beside = /^(?:text|was|scale:(?:scaled|one)|kind:(\w+)|head:\d{1,3}|part:[\w.-]{1,40})$/;
/** @param {string} given */
function readBeside(given) {
  const [found, kind] = beside.exec(given) ?? [];
  return kind && kinds.every(({ id }) => id !== kind) ? undefined : found;
}

// Blocked links, words and heads, as in blocks.js.
const tokens = '\\d{1,4}(?:\\.\\d{1,4})*';
const oneBlock = `(?:encoder|decoder|cross|self)(?:(?:\\.\\d{1,3}){0,2}:${tokens}-${tokens}|:${tokens}|(?:\\.\\d{1,3}){2})`;
const block = new RegExp(`^${oneBlock}(?:,${oneBlock}){0,63}$`);

/** name → { initial, read(text) → value, or undefined if invalid }. */
export const fields = {
  mode: oneOf('self', 'cross', 'learn'),
  source: text('model'),
  file: text(''), // names of the reader's open files, with “/” between
  example: whole(1, 1, 9999), // which of the batch that they have
  /** @type {Field<string>} */
  model: { initial: '', read: (given) => (readIdentity(given) ? given : undefined) },
  text: text('The red car is in front of the house.'),
  context: text('My house is behind those red cars.'),
  french: text(''),
  begin: text(''), // prefix of the model's translation
  readFrom: whole(0, 0, 999_999), // first token of a long text that the reader's model reads
  /** @type {Field<string>} */
  block: { initial: '', read: (given) => (block.test(given) ? given : undefined) },
  sweep: oneOf('', 'heads', 'words'), // the map of what each head or word changes
  difference: text(''), // two words, “his / her”, whose logits the sweep compares
  part: text(''),
  head: whole(0, 0, 999),
  row: whole(null, 0, 9999),
  column: whole(null, 0, 9999),
  view: oneOf(...views.map(({ name }) => name)),
  /** @type {Field<string>} */
  beside: { initial: 'scale:one', read: readBeside },
  otherText: text(''), // for the comparison, in place of `text`
  stage: oneOf('weights', 'raw', 'scaled', 'masked', 'moved', 'difference'),
  kind: oneOf(...kinds.map(({ id }) => id)),
  scale: oneOf('source', 'scaled', 'one', 'own'),
  ownScale: number(2, -1e4, 1e4),
  temperature: number(1, 0.01, 100),
  softcap: number(0, 0, 1e4),
  causal: unset,
  windowLeft: whole(null, 0, 9999),
  windowRight: whole(null, 0, 9999),
  /** @type {Field<number>} */
  heads: { initial: 1, read: (given) => [1, 2, 4, 8].find((heads) => String(heads) === given) },
  positions: off,
  average: off,
  hideSpecial: on,
  merge: on,
  pair: oneOf('all', 'ab', 'ba', 'aa', 'bb'), // for two texts A and B in one sequence
  sort: oneOf('text', 'read', 'total'),
  threshold: number(0, 0, 1),
  colors: oneOf('blues', 'viridis', 'cividis'),
  perRow: off,
  colorBy: oneOf('weights', 'previous', 'first', 'same', 'spread'), // what frames heads and names the strongest
  numbers: oneOf('source', 'percent', 'decimals'), // how weights are written
  flow: off, // whether “How did this number come about?” is open
  box: oneOf('', 'vectors', 'score', 'scale', 'row', 'weight', 'value'), // the open box of it
  whole: off, // whether the whole block is unfolded behind its last box
  lens: off, // whether the logit lens is unfolded there
  fused: off, // computed with fused multiply-add, where the browser has it
  /** @type {Field<Lookup>} */
  lookup: { initial: lookup, read: readLookup },
  learn: text(''), // settings of a training run, as in learn_settings.js
  pairs: text(''), // lines of the reader's own task, as in pairs_task.js
  tour: whole(null, 0, 99), // step of the tour
};

/** State of a link without fields. */
export const initialState = /** @type {State} */ (
  Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial]))
);
/**
 * Initial state without a link: a translation, with a word selected whose position changes.
 * @type {State}
 */
export const openingState = { ...initialState, mode: 'cross', row: 2 };

/**
 * Fields that change only how the picture is drawn; nothing is computed.
 * @type {(keyof State)[]}
 */
export const drawing = [
  'model',
  'flow',
  'box',
  'whole',
  'lens',
  'stage',
  'threshold',
  'colors',
  'perRow',
  'colorBy',
  'numbers',
  'sweep',
  'difference',
  'learn',
  'pairs',
  'tour',
  'lookup',
];
/**
 * Fields that change only the selection.
 * @type {(keyof State)[]}
 */
export const selecting = ['row', 'column', 'head'];

/** @param {string} given */
function readLookup(given) {
  try {
    /** @type {Lookup} */
    const { query, entries, temperature } = JSON.parse(given);
    /** @param {string} value */
    const isText = (value) => typeof value === 'string' && value.length <= 200;
    const good =
      isText(query) &&
      Array.isArray(entries) &&
      entries.length <= maxLookupEntries &&
      entries.every((entry) => Array.isArray(entry) && entry.length === 2 && entry.every(isText)) &&
      typeof temperature === 'number' &&
      temperature >= 0.01 &&
      temperature <= 100;
    return good ? { query, entries, temperature } : undefined;
  } catch {
    return undefined;
  }
}
