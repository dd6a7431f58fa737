// Positions: rotary embedding, sinusoidal vectors and ALiBi slopes.
import { boolean, list, number, readOptions } from '../arguments/options.js';
import { readTensor, tensor } from '../arguments/tensor.js';

const rotaryOptions = {
  heads: number,
  width: number,
  interleaved: boolean,
  base: number,
  offset: number,
  positions: list,
  cos: tensor,
  sin: tensor,
};

/**
 * @import { TensorLike } from '../types/arguments/tensor.js'
 * @import { Heap } from '../module/heap.js'
 */

/** @param {Heap} heap */
export function positions(heap) {
  return {
    /**
     * @param {TensorLike} x
     * @param {unknown} [options]
     */
    rotaryEmbedding(x, options) {
      const read = readOptions('rotaryEmbedding', options, rotaryOptions);
      return heap.call('rotaryEmbedding', { ...read, x: readTensor('x', x) }).output;
    },

    /**
     * @param {number} length
     * @param {number} dim
     * @param {unknown} [options]
     */
    sinusoidalPositions(length, dim, options) {
      const read = readOptions('sinusoidalPositions', options, { offset: number, base: number });
      return heap.call('sinusoidalPositions', {
        ...read,
        length: number(length, 'length'),
        dim: number(dim, 'dim'),
      }).output;
    },

    alibiSlopes(/** @type {number} */ heads) {
      const { output } = heap.call('alibiSlopes', { heads: number(heads, 'heads') });
      return Array.from(output.data);
    },
  };
}
