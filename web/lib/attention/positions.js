// Positions: rotary embedding, sinusoidal vectors and ALiBi slopes.
import { describe } from '../arguments/describe.js';
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

function readNumber(name, value) {
  if (typeof value === 'number') return value;
  throw new TypeError(`${name} must be a number, found ${describe(value)}`);
}

export function positions(heap) {
  return {
    rotaryEmbedding(x, options) {
      const read = readOptions('rotaryEmbedding', options, rotaryOptions);
      return heap.call('rotaryEmbedding', { ...read, x: readTensor('x', x) }).output;
    },

    sinusoidalPositions(length, dim, options) {
      const read = readOptions('sinusoidalPositions', options, { offset: number, base: number });
      return heap.call('sinusoidalPositions', {
        ...read,
        length: readNumber('length', length),
        dim: readNumber('dim', dim),
      }).output;
    },

    alibiSlopes(heads) {
      const { output } = heap.call('alibiSlopes', { heads: readNumber('heads', heads) });
      return Array.from(output.data);
    },
  };
}
