// From a picture to the vectors of its patches: each is cut out and projected, its place is added, and one vector that
// stands for the whole picture comes first. A picture of another size has its places between those that were learnt.
import { readPixels } from './read_pixels.js';
import { addTo, rowOf } from './vector_rows.js';

/** Weights of the four neighbours at a distance t behind the second of them (Keys, 1981, with a = -0.75). */
function cubic(t) {
  const a = -0.75;
  const near = (x) => ((a + 2) * x - (a + 3)) * x * x + 1;
  const far = (x) => ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return [far(t + 1), near(t), near(1 - t), far(2 - t)];
}

/** For each of `to` places the neighbours among `from` and their weights. */
const between = (from, to) =>
  Array.from({ length: to }, (_, at) => {
    const place = ((at + 0.5) * from) / to - 0.5;
    const first = Math.floor(place);
    return cubic(place - first).map((weight, n) => ({
      weight,
      at: Math.min(Math.max(first - 1 + n, 0), from - 1),
    }));
  });

/** Vectors of `from` rows and columns of places, between which those of `to` are found. */
function interpolated(places, [rows, columns], to) {
  if (rows === to[0] && columns === to[1]) return places;
  const width = places.dims[1];
  const across = between(columns, to[1]);
  const down = between(rows, to[0]);
  const data = new Float32Array(to[0] * to[1] * width);
  down.forEach((above, row) => {
    across.forEach((beside, column) => {
      const sum = new Float64Array(width);
      for (const y of above) {
        for (const x of beside) {
          const vector = rowOf(places, y.at * columns + x.at);
          for (let c = 0; c < width; c++) sum[c] += y.weight * x.weight * vector[c];
        }
      }
      data.set(sum, (row * to[1] + column) * width);
    });
  });
  return { data, dims: [to[0] * to[1], width] };
}

/** Each patch as a row: channels × height × width of it. */
function cutOut({ data, dims: [channels, down, across] }, [rows, columns], [height, width]) {
  const length = channels * height * width;
  const cut = new Float32Array(rows * columns * length);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (let channel = 0; channel < channels; channel++) {
        for (let y = 0; y < height; y++) {
          const begin = (channel * down + row * height + y) * across + column * width;
          cut.set(data.subarray(begin, begin + width), at);
          at += width;
        }
      }
    }
  }
  return { data: cut, dims: [rows * columns, length] };
}

export class Patches {
  #plan;
  #first;
  #places;
  #projection;

  /** vectors: { first, positions }, float32; projection: a Linear from a patch to a vector. */
  constructor(plan, { first, positions }, projection) {
    this.#plan = plan;
    this.#first = first;
    this.#places = positions;
    this.#projection = projection;
  }

  /** { x, grid }: 1 + rows·columns vectors, and [rows, columns] of patches; check: of how many they are. */
  of(given, check) {
    const { patch, places } = this.#plan;
    const pixels = readPixels(given, this.#plan);
    const grid = patch.map((size, axis) => Math.floor(pixels.dims[axis + 1] / size));
    if (grid[0] * grid[1] === 0) {
      throw new RangeError(
        `pixels are ${pixels.dims.join('×')}, smaller than a patch of ${patch.join('×')}`,
      );
    }
    check(1 + grid[0] * grid[1]);
    const vectors = this.#projection.forward(cutOut(pixels, grid, patch));
    const width = vectors.dims[1];
    const learnt = {
      data: this.#places.data.subarray(width),
      dims: [places[0] * places[1], width],
    };
    const x = {
      data: new Float32Array((1 + vectors.dims[0]) * width),
      dims: [1 + vectors.dims[0], width],
    };
    x.data.set(this.#first.data);
    x.data.set(vectors.data, width);
    addTo(rowOf(x, 0), rowOf(this.#places, 0));
    addTo(x.data.subarray(width), interpolated(learnt, places, grid).data);
    return { x, grid };
  }
}
