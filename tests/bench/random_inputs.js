// Inputs of all contenders: the same numbers in every runtime, in both common layouts.
//
//   headsFirst   heads × length × dim        tokensFirst   length × (heads·dim)

import { stackInputs } from './layer_stack.js';

/** Pseudo-random numbers from -1 to 1 (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

function fill(length, next, factor = 1) {
  const data = new Float32Array(length);
  for (let at = 0; at < length; at++) data[at] = factor * next();
  return data;
}

/** heads × length × dim → length × (heads·dim). */
export function tokensFirst(data, heads, length, dim) {
  const moved = new Float32Array(data.length);
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < length; row++) {
      const from = (head * length + row) * dim;
      moved.set(data.subarray(from, from + dim), (row * heads + head) * dim);
    }
  }
  return moved;
}

/** rows × columns → columns × rows. */
export function transposed(data, rows, columns) {
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      turned[column * rows + row] = data[row * columns + column];
    }
  }
  return turned;
}

function attentionInputs({ heads, qLen, kLen, dim }) {
  const next = randomNumbers(1);
  const headsFirst = {
    query: fill(heads * qLen * dim, next),
    key: fill(heads * kLen * dim, next),
    value: fill(heads * kLen * dim, next),
  };
  return {
    headsFirst,
    /** Computed on demand: large, and not used by every contender. */
    get tokensFirst() {
      const { query, key, value } = headsFirst;
      return {
        query: tokensFirst(query, heads, qLen, dim),
        key: tokensFirst(key, heads, kLen, dim),
        value: tokensFirst(value, heads, kLen, dim),
      };
    },
  };
}

const stack = (shape) => {
  const next = randomNumbers(3);
  return stackInputs(shape, (length, factor) => fill(length, next, factor));
};

function layerInputs({ qLen, modelDim }) {
  const next = randomNumbers(2);
  const factor = Math.sqrt(3 / modelDim); // keeps the input's variance
  const square = () => fill(modelDim * modelDim, next, factor);
  const bias = () => fill(modelDim, next, 0.1);
  const names = ['query', 'key', 'value', 'output'];
  const outIn = Object.fromEntries(names.map((name) => [name, square()]));
  const biases = Object.fromEntries(names.map((name) => [name, bias()]));
  const inOut = Object.fromEntries(
    names.map((name) => [name, transposed(outIn[name], modelDim, modelDim)]),
  );
  return { x: fill(qLen * modelDim, next), outIn, inOut, biases };
}

/** For layers: x and their matrices, of one layer both ways; else query, key and value in `headsFirst` and `tokensFirst`. */
export function randomInputs(shape) {
  if (shape.layers) return stack(shape);
  return shape.kind === 'layer' ? layerInputs(shape) : attentionInputs(shape);
}
