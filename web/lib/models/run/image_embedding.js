// Image → patch embeddings: each patch is projected, its position embedding is added, and the class token comes first.
// For images of another size the learned position embeddings are interpolated.
import { readPixels } from './read_pixels.js';
import { addTo, rowOf } from './vector_rows.js';

/** Bicubic weights of four neighbors at distance t after the second (Keys, 1981, with a = -0.75). */
function cubic(t) {
  const a = -0.75;
  const near = (x) => ((a + 2) * x - (a + 3)) * x * x + 1;
  const far = (x) => ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return [far(t + 1), near(t), near(1 - t), far(2 - t)];
}

/** For each of `to` positions, its four neighbors among `from` positions with their weights. */
const neighborWeights = (from, to) =>
  Array.from({ length: to }, (_, i) => {
    const position = ((i + 0.5) * from) / to - 0.5;
    const first = Math.floor(position);
    return cubic(position - first).map((weight, n) => ({
      weight,
      index: Math.min(Math.max(first - 1 + n, 0), from - 1),
    }));
  });

/** Bicubic interpolation of a rows × columns grid of vectors to a grid of size `to`. */
function interpolated(positions, [rows, columns], to) {
  if (rows === to[0] && columns === to[1]) return positions;
  const width = positions.dims[1];
  const across = neighborWeights(columns, to[1]);
  const down = neighborWeights(rows, to[0]);
  const data = new Float32Array(to[0] * to[1] * width);
  down.forEach((above, row) => {
    across.forEach((beside, column) => {
      const sum = new Float64Array(width);
      for (const y of above) {
        for (const x of beside) {
          const vector = rowOf(positions, y.index * columns + x.index);
          for (let c = 0; c < width; c++) sum[c] += y.weight * x.weight * vector[c];
        }
      }
      data.set(sum, (row * to[1] + column) * width);
    });
  });
  return { data, dims: [to[0] * to[1], width] };
}

/**
 * Patches as rows of channels · height · width numbers.
 *
 * @param {{ data: Float32Array, dims: number[] }} pixels
 * @param {number[]} grid rows and columns of patches
 * @param {number[]} patch height and width
 */
function extractPatches(
  { data, dims: [channels, down, across] },
  [rows, columns],
  [height, width],
) {
  const length = channels * height * width;
  const rowsOfPatches = new Float32Array(rows * columns * length);
  let offset = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (let channel = 0; channel < channels; channel++) {
        for (let y = 0; y < height; y++) {
          const begin = (channel * down + row * height + y) * across + column * width;
          rowsOfPatches.set(data.subarray(begin, begin + width), offset);
          offset += width;
        }
      }
    }
  }
  return { data: rowsOfPatches, dims: [rows * columns, length] };
}

export class ImageEmbedding {
  #plan;
  #first;
  #positions;
  #projection;

  /** vectors: { first, positions }: class token and position embeddings, float32; projection: a Linear. */
  constructor(plan, { first, positions }, projection) {
    this.#plan = plan;
    this.#first = first;
    this.#positions = positions;
    this.#projection = projection;
  }

  /** { x, grid }: 1 + rows·columns vectors, and [rows, columns] of patches; check(count) may throw before computing. */
  of(image, check) {
    const { patch, trainedGrid } = this.#plan;
    const pixels = readPixels(image, this.#plan);
    const grid = patch.map((size, axis) => Math.floor(pixels.dims[axis + 1] / size));
    if (grid[0] * grid[1] === 0) {
      throw new RangeError(
        `pixels are ${pixels.dims.join('×')}, smaller than a patch of ${patch.join('×')}`,
      );
    }
    check(1 + grid[0] * grid[1]);
    const vectors = this.#projection.forward(extractPatches(pixels, grid, patch));
    const width = vectors.dims[1];
    const learned = {
      data: this.#positions.data.subarray(width),
      dims: [trainedGrid[0] * trainedGrid[1], width],
    };
    const x = {
      data: new Float32Array((1 + vectors.dims[0]) * width),
      dims: [1 + vectors.dims[0], width],
    };
    x.data.set(this.#first.data);
    x.data.set(vectors.data, width);
    addTo(rowOf(x, 0), rowOf(this.#positions, 0));
    addTo(x.data.subarray(width), interpolated(learned, trainedGrid, grid).data);
    return { x, grid };
  }
}
