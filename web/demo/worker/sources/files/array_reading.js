// Arrays from files as a Reading. Names of rows and columns come from the file, from a text with as many words, or are
// numbers. Each row and column is a word of its own: nothing is merged, and nothing is punctuation.

import { fixedBy } from '../fixed_weights.js';
import { noReading } from '../no_reading.js';
import { readTokens } from '../tokens.js';
import {
  labelsIn,
  needed,
  noteOnSums,
  numbersTo,
  partsOf,
  sized,
  sizeOfPicture,
} from './own_arrays.js';

/** @import { Label, Reading } from '../../../types' */
/** @import { SourceQuestion } from '../../types' */
/** @import { Saved } from './json_file.js' */
/** @import { OpenFile } from './open_files.js' */
/** @import { CompleteRoles, Roles } from './own_arrays.js' */

/**
 * Labels of rows or columns, in a text; `note`: why they are numbers.
 * @typedef {{ labels: Label[], text: string, note: string }} Words
 */

const formats = 'as JSON, NumPy (.npy, .npz) or safetensors';

/**
 * The reading of arrays in files.
 * @param {SourceQuestion} request
 * @param {Roles} some
 * @param {OpenFile[]} files
 * @returns {Promise<Reading>}
 */
export async function readArrays(request, some, files) {
  const { example = 0 } = request;
  const missing = some.weights ? [] : needed.filter((role) => !some[role]);
  if (missing.length > 0) return noReading(whyMissing(missing, files, request.file));
  const roles = /** @type {CompleteRoles} */ (some);
  const { saved } = files[0];
  const fileName = files.map(({ name }) => name).join(', ');
  const words = saved ? savedWords(saved) : ownWords(request, roles);
  const name = saved?.name || fileName;
  const parts = partsOf(roles, { name, heads: request.heads, example, saved });
  const [{ heads }] = parts;
  const { hasHeads, batch } = sized(roles);
  return {
    kind: 'plain',
    ...words,
    parts,
    examples: batch,
    note: [
      hasHeads && heads !== request.heads
        ? `${fileName} has ${heads} heads: the setting “Heads” has no effect.`
        : '',
      saved || hasWords(roles, example)
        ? `The words come from ${fileName}; the text above is not used.`
        : '',
      words.note,
      roles.weights ? noteOnSums(roles.weights) : '',
      roles.weights ? 'Only weights were given: no queries, keys or values.' : '',
    ]
      .filter(Boolean)
      .join(' '),
    ...(hasHeads && { overruled: { heads: `${fileName} has ${heads}.` } }),
    ...(roles.weights && fixedBy(`The weights are those of ${fileName}.`)),
  };
}

/**
 * The files that have to be opened, by name if the address tells of them.
 * @param {string[]} missing
 * @param {OpenFile[]} files
 * @param {string} [known]
 */
function whyMissing(missing, files, known) {
  if (files.length > 0) {
    const open = files.map(({ name }) => name).join(', ');
    return `Open: ${open}. Still missing: ${missing.join(' and ')}.`;
  }
  return known
    ? `Give ${known.replaceAll('/', ', ')} again: files stay on the machine where they were opened, and a link has only their names.`
    : `Give weights, or queries, keys and values, ${formats}: drop a file on the page, or choose one.`;
}

/** @type {(roles: CompleteRoles, example: number) => boolean} */
const hasWords = (roles, example) => Object.values(labelsIn(roles, example)).some(Boolean);

/**
 * Tokens in a JSON export of this page.
 * @param {Saved} saved
 */
function savedWords({ rows, columns, texts }) {
  const labels = rows.map(labelOf);
  return { rows: labels, columns: columns?.map(labelOf) ?? labels, texts, note: '' };
}
/** @type {(saved: Saved['rows'][0]) => Label} */
const labelOf = ({ text, word, special = false, start = null, end = null }) => {
  return { text, word, special, start, end };
};

/**
 * @param {SourceQuestion} request
 * @param {CompleteRoles} roles
 */
function ownWords({ mode, first, second, example = 0 }, roles) {
  const [height, width] = sizeOfPicture(roles);
  const given = labelsIn(roles, example);
  const isOne = mode !== 'cross' && height === width;
  const rows = wordsFor(height, 'rows', given.rows ?? (isOne ? given.columns : undefined), first);
  const columns = isOne ? rows : wordsFor(width, 'columns', given.columns, second);
  const notes = [rows.note, isOne ? '' : columns.note];
  if (mode !== 'cross' && !isOne)
    notes.push(`${height} rows and ${width} columns are of two texts: Cross shows both.`);
  return {
    rows: rows.labels,
    columns: columns.labels,
    texts: [rows.text, columns.text],
    note: notes.filter(Boolean).join(' '),
  };
}

/**
 * Labels of `count` rows or columns.
 * @param {number} count
 * @param {'rows' | 'columns'} what
 * @param {string[] | undefined} given
 * @param {string} text
 * @returns {Words}
 */
function wordsFor(count, what, given, text) {
  if (given) return named(given);
  const typed = text.split(/\s+/).filter(Boolean);
  if (typed.length === count) return { labels: labelsFrom(typed, text), text, note: '' };
  // A text without spaces, or with punctuation as names.
  const { labels, total } = readTokens(text);
  const words = labels.map((label) => label.text);
  if (total === count) return { labels: labelsFrom(words, text), text, note: '' };
  const note =
    typed.length === 0
      ? ''
      : `The text above has ${typed.length} words for ${count} ${what}: they are numbered.`;
  return { ...named(numbersTo(count)), note };
}

/** @type {(names: string[]) => Words} */
const named = (names) => {
  const text = names.join(' ');
  return { labels: labelsFrom(names, text), text, note: '' };
};

/**
 * Labels of names that follow one another in a text.
 * @param {string[]} names
 * @param {string} text
 * @returns {Label[]}
 */
function labelsFrom(names, text) {
  let end = 0;
  return names.map((name, at) => {
    const start = text.indexOf(name, end);
    end = start + name.length;
    return { text: name, word: at, special: false, start, end };
  });
}
