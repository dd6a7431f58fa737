// Values of one head of a picture, and derived facts.

import { placeOfPart } from '../../blocks.js';

/** @import { HeatmapOptions } from 'attention-wasm/heatmap' */
/** @import { HeadRole, Picture, Stage, Thumbnail } from '../../types' */

/**
 * Values of a head at a stage, rows × columns.
 * @param {Pick<Picture, 'rows' | 'columns'> & { stages: Picture['stages'] }} picture
 * @param {Stage} stage one that the picture has
 * @param {number} head
 */
export function valuesOf(picture, stage, head) {
  const size = picture.rows.length * picture.columns.length;
  const values = /** @type {Float32Array} */ (picture.stages[stage]);
  return values.subarray(head * size, (head + 1) * size);
}

/** Cells of a head that are masked (1) or blocked by the reader (2), or null. */
export function unseenOf({ hidden, blocked, rows, columns }, head) {
  if (!blocked) return hidden;
  const first = head * rows.length * columns.length;
  const own = blocked.subarray(first, first + rows.length * columns.length);
  return own.map((isBlocked, at) => (isBlocked ? 2 : (hidden?.[at] ?? 0)));
}

/**
 * Weight of the strongest color: the largest weight, but at least 4 / width, so that nearly uniform weights look pale.
 */
export function topWeight(weights, width) {
  let top = Math.min(1, 4 / width);
  for (const weight of weights) top = Math.max(top, Math.abs(weight));
  return top;
}

/**
 * End of a color scale for weights up to this one, which its legend names: 1, 2 or 5 of a power of ten, so that it stays
 * while texts and heads change; above 1, where values are no weights, the largest itself.
 * @param {number} top
 */
export function scaleEnd(top) {
  if (!(top > 0 && top <= 1)) return top;
  const power = 10 ** Math.floor(Math.log10(top));
  return power * /** @type {number} */ ([1, 2, 5, 10].find((one) => one * power > top - 1e-6));
}

/**
 * True if any weight is negative, as in some kinds.
 * @param {Float32Array} weights
 */
export const hasNegative = (weights) => weights.some((weight) => weight < 0);

const stacks = ['encoder', 'self', 'decoder', 'cross']; // in the order of the computation

/** part → thumbnails of its heads: of the encoder from its first layer on, of the decoder, of cross-attention. */
export function layersOf(thumbnails) {
  const layers = new Map();
  for (const one of thumbnails) layers.set(one.part, [...(layers.get(one.part) ?? []), one]);
  const rank = (part) => {
    const { stack, layer } = placeOfPart(part);
    return [stacks.indexOf(stack), layer];
  };
  return new Map(
    Array.from(layers).sort(([one], [other]) => {
      const [[stack, layer], [otherStack, otherLayer]] = [rank(one), rank(other)];
      return stack - otherStack || layer - otherLayer;
    }),
  );
}

/**
 * Options of the heat map for one head with its own color scale; `cells`: size of `weights` where they are pooled.
 * @param {{ weights: Float32Array, rows: number, columns: number, cells?: [number, number] }} head
 * @param {'row' | 'global'} scaling
 * @returns {Pick<HeatmapOptions, 'signed' | 'domain'> & { weights: { data: Float32Array, dims: number[] } }}
 */
export function optionsOfHead({ weights, rows, columns, cells = [rows, columns] }, scaling) {
  const signed = hasNegative(weights);
  /** @type {HeatmapOptions['domain']} */
  const global = signed ? 'global' : [0, topWeight(weights, columns)];
  const domain = scaling === 'row' ? 'row' : global;
  return { weights: { data: weights, dims: cells }, signed, domain };
}

/**
 * "2.3 words": the effective number of columns per row; null if weights are negative.
 * @param {Pick<Thumbnail, 'spread'>} head
 * @param {string} unit
 */
export const spreadText = ({ spread }, unit) =>
  spread === null ? null : `${spread.toFixed(spread < 100 ? 1 : 0)} ${unit}`;

/**
 * Meaning of a cell of a small picture, where it stands for several pairs.
 * @param {Pick<Thumbnail, 'rows' | 'columns' | 'cells'>[]} heads
 */
export function pooledText(heads) {
  const sizes = heads.map(({ rows, columns, cells }) => [rows / cells[0], columns / cells[1]]);
  const [down, right] = [0, 1].map((side) =>
    Math.ceil(Math.max(1, ...sizes.map((size) => size[side]))),
  );
  if (down * right === 1) return '';
  return `Each cell of a small picture has the largest weight of up to ${down} × ${right} pairs.`;
}

/** Position of the cross-hair: the hovered row and column, else the selected ones. */
export function pointedIn(selection) {
  return { row: selection.row, column: selection.column, ...selection.hovered };
}

/**
 * Role of a head with the numbers it is based on.
 * @param {HeadRole} role
 */
export function roleText({ says, of = '', share, general }) {
  const numbers = [share, general].filter((one) => one !== undefined);
  const [here, other] = numbers.map((one) => (one === null ? '–' : one.toFixed(2)));
  const what = of && `${of} `;
  return other === undefined
    ? `${says} (${what}${here})`
    : `${says} (${what}${here} here, ${other} in general)`;
}

/** Texts that the numbers of a role were measured on. */
const basisOf = ({ general }) =>
  general === undefined
    ? 'measured on this text'
    : 'measured on this text (here) and on 16 fixed sentences (in general)';

/** ["entropy 1.4 bits", "2.3 words away"]; the distance exists within one text only. */
export const reachOf = ({ entropy, distance, unit }) => [
  `entropy ${entropy.toFixed(1)} bits`,
  ...(distance === null ? [] : [`${distance.toFixed(distance < 10 ? 1 : 0)} ${unit}s away`]),
];

/** Tooltip of the list of heads: the role of the displayed head with all its numbers and their basis; '' without one. */
export function headTitle(picture, head) {
  const role = roleIn(picture, head);
  return role ? [roleText(role), ...reachOf(role), basisOf(role)].join(', ') : '';
}

/** Role of the displayed head or average, or undefined. */
const roleIn = (picture, head) =>
  picture?.roles?.[picture.average ? 0 : Math.min(head, picture.heads - 1)];
