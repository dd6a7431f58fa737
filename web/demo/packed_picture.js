// The prerendered initial picture in a compact form: the build computes it, and the page shows it before the model is
// loaded.

/** @import { Facts, Label, Picture } from './types' */

/** @typedef {[text: string, word: number | null, special: number, start: number | null, end: number | null]} PackedLabel */
/**
 * Numbers are integers; `columns` are null where they are the rows.
 * @typedef {object} PackedPicture
 * @property {Facts} facts
 * @property {Omit<Picture, 'rows' | 'columns' | 'stages' | 'hidden'>} rest
 * @property {PackedLabel[]} rows
 * @property {PackedLabel[] | null} columns
 * @property {number[]} weights
 * @property {number[]} scaled
 */

// More digits than the page displays, so that rounded weights still sum to 1.
const digits = { weights: 7, scaled: 5 };

/**
 * One head of a picture, and its facts, as JSON.
 * @param {{ picture: Picture, facts: Facts }} answer
 * @returns {PackedPicture}
 */
export function packPicture({ picture, facts }) {
  const size = picture.rows.length * picture.columns.length;
  /** @type {(values: Float32Array, digits: number) => number[]} */
  const pack = (values, count) =>
    Array.from(values.subarray(0, size), (number) => Math.round(number * 10 ** count));
  const { rows, columns, stages, hidden: _hidden, ...rest } = picture;
  const { weights, scaled } = /** @type {Required<Picture['stages']>} */ (stages);
  return {
    facts,
    rest,
    rows: rows.map(packLabel),
    columns: rows === columns ? null : columns.map(packLabel),
    weights: pack(weights, digits.weights),
    scaled: pack(scaled, digits.scaled),
  };
}

/**
 * Inverse of packing; `facts.isPrerendered` is set.
 * @param {PackedPicture} packed
 * @returns {{ picture: Picture, facts: Facts }}
 */
export function unpackPicture({ facts, rest, ...packed }) {
  const rows = packed.rows.map(unpackLabel);
  const columns = packed.columns?.map(unpackLabel) ?? rows;
  /** @type {(numbers: number[], count: number) => Float32Array} */
  const unpack = (numbers, count) => Float32Array.from(numbers, (number) => number / 10 ** count);
  const weights = unpack(packed.weights, digits.weights);
  const scaled = unpack(packed.scaled, digits.scaled);
  const scale = facts.options.scale ?? 1;
  const raw = scaled.map((score) => score / scale);
  const stages = { raw, scaled, masked: scaled, weights };
  const picture = { ...rest, rows, columns, heads: 1, stages, hidden: null };
  return { picture, facts: { ...facts, isPrerendered: true } };
}

/** @type {(label: Label) => PackedLabel} */
const packLabel = ({ text, word, special, start, end }) => [text, word, +special, start, end];
/** @type {(packed: PackedLabel) => Label} */
const unpackLabel = ([text, word, special, start, end]) => {
  return { text, word, special: special === 1, start, end };
};
