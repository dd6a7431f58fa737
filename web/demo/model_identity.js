// Which model a view is of, as text in the state: its type, the bytes of its weights, a short hash of its files, its name.
//   gpt2 548105171 9f86d081 my-gpt2

import { bytesAs } from './byte_count.js';

/** @typedef {{ type: string, bytes: number, hash: string, name: string }} ModelIdentity */

const pattern = /^([\w.-]{1,40}) (\d{1,15}) ([0-9a-f]{8}) (.{1,200})$/u;

/** @param {ModelIdentity} identity */
export const writeIdentity = ({ type, bytes, hash, name }) =>
  `${type.replace(/[^\w.-]/g, '_').slice(0, 40)} ${bytes} ${hash} ${[...name.replace(/\s+/g, ' ')].slice(0, 100).join('')}`;

/**
 * Inverse of writeIdentity(); null for any other text.
 * @param {string} text
 * @returns {ModelIdentity | null}
 */
export function readIdentity(text) {
  const found = pattern.exec(text);
  if (!found) return null;
  const [, type, bytes, hash, name] = found;
  return { type, bytes: Number(bytes), hash, name };
}

/**
 * True if two texts are of one model, whose folder may have been renamed.
 * @param {string} one
 * @param {string} other
 */
export function isSameModel(one, other) {
  const [a, b] = [one, other].map(readIdentity);
  return a !== null && b !== null && a.hash === b.hash && a.bytes === b.bytes && a.type === b.type;
}

/**
 * A model in a sentence.
 * @param {string} text
 */
export function modelInWords(text) {
  const { type, bytes, hash, name } = /** @type {ModelIdentity} */ (readIdentity(text));
  return `“${name}” (${type}, ${bytesAs(bytes)} of weights, ${hash})`;
}
