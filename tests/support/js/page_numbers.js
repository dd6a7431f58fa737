// Compares numbers in the page's text with the library's results.

import assert from 'node:assert/strict';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The value of a number in the page's text, and half a unit of its last digit. */
export function numberOf(written) {
  const plain = written
    .replaceAll('−∞', '-Infinity')
    .replaceAll('−', '-')
    .replace(/ × 10⁻(.+)/, (_, digits) => {
      return `e-${Array.from(digits, (digit) => superscripts.indexOf(digit)).join('')}`;
    });
  const [, decimals = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([-+]?\d+))?$/.exec(plain) ?? [];
  assert.notEqual(plain.trim(), '', 'a number is missing');
  return { value: Number(plain), half: 0.5 * 10 ** (Number(exponent) - decimals.length) };
}

/**
 * A number as the page writes it must be `value`, rounded to the digits written; `off`: how far what was written may
 * have been from it before.
 */
export function assertShows(written, value, what, off = 1e-7) {
  const { value: shown, half } = numberOf(written);
  const isRight = Object.is(shown, value) || Math.abs(shown - value) <= half * (1 + 1e-5) + off;
  assert.ok(isRight, `${what} is shown as “${written}”, but is ${value}`);
}

/** A percent as the page writes it, with one digit after the point, must be that of `share`. */
export function assertPercent(written, share, what) {
  const percent = /^under/.test(written) ? 0.05 : parseFloat(written);
  assert.ok(Math.abs(percent - 100 * share) <= 0.051, `${what}: ${written} is not ${share}`);
}

/** Weights of one head. */
export function headOf({ data, dims }, head) {
  const size = dims.at(-2) * dims.at(-1);
  return data.subarray(head * size, (head + 1) * size);
}

/** Texts split and embedded as in the page: words, vectors and their attention. */
export function spell(first, second = first, { positions = false } = {}) {
  const [rows, columns] = [words(first), words(second)].map((list) => list.slice(0, 1024));
  const [q, k] = [rows, columns].map((list) => wordVectors(list, { dim: 64, positions }));
  return { rows, columns, q, k, v: k, scale: lexicalScale };
}

/** Compares a table with rows × columns numbers. */
export function assertTable(table, { rows, columns }, values) {
  assert.deepEqual(table.rows, rows);
  assert.deepEqual(table.columns, columns);
  table.cells.forEach((line, row) =>
    line.forEach((written, column) => {
      const at = row * columns.length + column;
      assertShows(written, values[at], `row ${row}, column ${column}`);
    }),
  );
}

/** Token indices of each word, and of the tokens outside words. */
export function wordsOf(tokens) {
  const words = new Map();
  const marks = [];
  tokens.forEach(({ text, word, special }, at) => {
    if (special || /^[\p{P}\p{S}]+$/u.test(text)) marks.push(at);
    else words.set(word, [...(words.get(word) ?? []), at]);
  });
  return { words: [...words.values()], marks };
}
