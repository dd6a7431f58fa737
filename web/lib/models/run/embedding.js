// Token ids → input vectors of the first layer: the sum of token, position and type embeddings, then an optional
// norm and projection to the model width.
import { addTo, rowOf } from './vector_rows.js';

// Computed position embeddings: sines in the first half of a vector and cosines in the second, or alternating.
//   halves       sin and cos of p / 10000^(2i/d)             Marian and Pegasus, after Vaswani et al. (2017)
//   fairseq      sin and cos of p / 10000^(i / (d/2 - 1))    M2M-100; zeros for padding
//   interleaved  as halves, alternating                      nn.Transformer: sinusoidalPositions() of the library
const angles = {
  halves: (i, width) => 10_000 ** ((-2 * i) / width),
  fairseq: (i, width) => 10_000 ** (-i / (Math.floor(width / 2) - 1)),
};

/** Adds the embedding of position p to `row`. */
export function addPosition(row, kind, p) {
  const width = row.length;
  const sines = kind === 'halves' ? Math.ceil(width / 2) : Math.floor(width / 2);
  for (let i = 0; i < sines; i++) row[i] += Math.sin(p * angles[kind](i, width));
  const cosines = Math.floor(width / 2);
  for (let i = 0; i < cosines; i++) row[sines + i] += Math.cos(p * angles[kind](i, width));
}

/** The position of each id, counted from `offset`; padding has a position of its own in some models. */
function positionsOf(ids, offset, { from = 0, padding }) {
  let position = from + offset;
  return Array.from(ids, (id) => (id === padding ? padding : position++));
}

export class Embedding {
  #api;
  #plan;
  #words;
  #vectors;
  #project;
  #interleaved = { data: new Float32Array(0), dims: [0, 0] }; // cached rows, one per position

  /** vectors: position and type tables and the norm, as float32; project: a Linear. */
  constructor(api, plan, { words, vectors, project }) {
    this.#api = api;
    this.#plan = plan;
    this.#words = words;
    this.#vectors = vectors;
    this.#project = project;
  }

  /** Maximum number of tokens: the size of the position table, or Infinity for computed and rotary positions. */
  get maxLength() {
    const { positions } = this.#plan;
    return positions?.table ? positions.table.dims[0] - (positions.from ?? 0) : Infinity;
  }

  /** Throws if the model does not have these types. */
  requireTypes(typeIds) {
    const { types } = this.#vectors;
    typeIds.forEach((id, index) => {
      if (id === 0 || (types && id < types.dims[0])) return;
      throw new RangeError(
        `typeIds[${index}] is ${id}, but the model has ${types?.dims[0] ?? 'no'} token types`,
      );
    });
  }

  /** Adds the embedding of each type; type 0 for those that the model does not have. */
  #addTypes(x, typeIds = []) {
    const { types } = this.#vectors;
    if (!types) return;
    for (let row = 0; row < x.dims[0]; row++) {
      const id = typeIds[row] ?? 0;
      addTo(rowOf(x, row), rowOf(types, id < types.dims[0] ? id : 0));
    }
  }

  /** Zeros in place of mask tokens, and the others scaled by their share in training and here (Rives et al., 2021). */
  #dropMasks(x, ids) {
    const { dropout } = this.#plan;
    if (!dropout) return;
    const masked = ids.filter((id) => id === dropout.mask).length;
    const factor = (1 - dropout.fraction) / (1 - masked / ids.length);
    ids.forEach((id, row) => {
      const own = rowOf(x, row);
      own.forEach((number, c) => (own[c] = id === dropout.mask ? 0 : number * factor));
    });
  }

  #addPositions(x, ids, offset) {
    const { positions } = this.#plan;
    if (!positions) return;
    const { table } = positions;
    positionsOf(ids, offset, positions).forEach((position, index) => {
      const row = rowOf(x, index);
      if (table) addTo(row, rowOf(this.#vectors.positions, position));
      else if (positions.computed === 'interleaved') addTo(row, this.#interleavedRow(position));
      else if (position !== positions.padding) addPosition(row, positions.computed, position);
    });
  }

  #interleavedRow(position) {
    if (position >= this.#interleaved.dims[0]) {
      this.#interleaved = this.#api.sinusoidalPositions(2 * position + 16, this.#plan.width);
    }
    return rowOf(this.#interleaved, position);
  }

  /** What ids → n × width adds at one position, { source, row }[]; undefined if it is no sum of two tables. In steps. */
  *termsAt(ids, position) {
    const { scale, norm, positions } = this.#plan;
    if (norm || this.#project || this.#vectors.types) return undefined;
    const { data, dims } = yield this.#words.rows([ids[position]]);
    const parts = [{ source: 'embed', row: data.map((number) => number * scale) }];
    if (!positions) return parts;
    const width = dims[1];
    const x = { data: new Float32Array(ids.length * width), dims: [ids.length, width] };
    this.#addPositions(x, ids, 0);
    return [...parts, { source: 'pos_embed', row: rowOf(x, position) }];
  }

  /**
   * ids → n × width, in steps.
   *
   * @param {number[]} ids
   * @param {{ typeIds?: number[], offset?: number }} options
   */
  *of(ids, { typeIds, offset = 0 } = {}) {
    const { scale, norm, projectsFirst } = this.#plan;
    const words = yield this.#words.rows(ids);
    if (scale !== 1) words.data.forEach((number, i) => (words.data[i] = number * scale));
    this.#dropMasks(words, ids);
    const x = projectsFirst && this.#project ? this.#project.forward(words) : words;
    this.#addTypes(x, typeIds);
    this.#addPositions(x, ids, offset);
    const normed = norm ? this.#api.layerNorm(x, this.#vectors.norm) : x;
    return this.#project && !projectsFirst ? this.#project.forward(normed) : normed;
  }
}
