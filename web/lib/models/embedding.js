// From ids to the vectors that the first layer is given: words, positions and types added up, normed, widened.
import { addPosition } from './positions.js';
import { addTo, rowOf } from './vector_rows.js';

/** Positions of ids that begin at `offset`: of padding, where it has one of its own, that. */
function placesOf(ids, offset, { from = 0, padding }) {
  let place = from + offset;
  return Array.from(ids, (id) => (id === padding ? padding : place++));
}

export class Embedding {
  #api;
  #plan;
  #words;
  #vectors;
  #project;

  /** vectors: the small tables and the norm, as float32; project: a Linear. */
  constructor(api, plan, { words, vectors, project }) {
    this.#api = api;
    this.#plan = plan;
    this.#words = words;
    this.#vectors = vectors;
    this.#project = project;
  }

  /** How many tokens have a position; Infinity where positions are computed or turned. */
  get longest() {
    const { positions } = this.#plan;
    return positions?.table ? positions.table.dims[0] - (positions.from ?? 0) : Infinity;
  }

  #addTypes(x, typeIds) {
    const { types } = this.#vectors;
    typeIds?.forEach((id, at) => {
      if (id === 0 || (types && id < types.dims[0])) return;
      throw new RangeError(
        `typeIds[${at}] is ${id}, but the model has ${types?.dims[0] ?? 'no'} types`,
      );
    });
    if (!types) return;
    for (let row = 0; row < x.dims[0]; row++)
      addTo(rowOf(x, row), rowOf(types, typeIds?.[row] ?? 0));
  }

  #addPositions(x, ids, offset) {
    const { positions } = this.#plan;
    if (!positions) return;
    const { table } = positions;
    placesOf(ids, offset, positions).forEach((place, at) => {
      const row = rowOf(x, at);
      if (table) addTo(row, rowOf(this.#vectors.positions, place));
      else if (place !== positions.padding) addPosition(row, positions.computed, place);
    });
  }

  /** ids → n × width. */
  of(ids, { typeIds, offset = 0 } = {}) {
    const { scale, norm } = this.#plan;
    const x = this.#words.rows(ids);
    if (scale !== 1) x.data.forEach((number, at) => (x.data[at] = number * scale));
    this.#addTypes(x, typeIds);
    this.#addPositions(x, ids, offset);
    const normed = norm ? this.#api.layerNorm(x, this.#vectors.norm) : x;
    return this.#project ? this.#project.forward(normed) : normed;
  }
}
