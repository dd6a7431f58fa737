// kernelAttention(): attention with any similarity in the place of exp(scale · q·k).
import { describe } from '../arguments/describe.js';
import { attentionFields, attentionOptions } from '../arguments/attention_options.js';
import { number, readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';
import { widened } from '../module/widen.js';

// The names of Similarity that a caller may say; `given` is for what his function answers.
const similarities = ['exponential', 'gaussian', 'laplacian', 'cosine', 'polynomial'];

function similarity(value) {
  if (typeof value === 'function' || similarities.includes(value)) return value;
  const Problem = typeof value === 'string' ? RangeError : TypeError;
  const names = similarities.map((name) => `'${name}'`).join(', ');
  throw new Problem(`similarity must be ${names} or a function, found ${describe(value)}`);
}

const { heads, kvHeads, scale, causal, offset, window, mask, keyLengths, weights } =
  attentionOptions;
const kinds = {
  similarity,
  scale,
  bandwidth: number,
  constant: number,
  degree: number,
  heads,
  kvHeads,
  causal,
  offset,
  window,
  mask,
  keyLengths,
  weights,
};

/** Row `row` of a head: a part of the tensor's numbers. */
function rowOf({ data, dims }, heads, width, batch, head, row) {
  const rows = dims.at(-2);
  const first =
    dims.length === 4
      ? ((batch * heads + head) * rows + row) * width
      : ((batch * rows + row) * heads + head) * width;
  return data.subarray(first, first + width);
}

/** The function's answer for every pair, batch × heads × qLen × kLen. */
function compareAll(compare, query, key, facts) {
  const { batch, heads, kvHeads, qLen, kLen, keyDim } = facts;
  const data = new Float32Array(batch * heads * qLen * kLen);
  let count = 0;
  // A batch of four billion empty sequences is no work.
  for (let b = 0; count < data.length && b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      const kv = Math.floor(h / (heads / kvHeads));
      for (let i = 0; i < qLen; i++) {
        const q = rowOf(query, heads, keyDim, b, h, i);
        for (let j = 0; j < kLen; j++) {
          const answer = compare(q, rowOf(key, kvHeads, keyDim, b, kv, j));
          if (typeof answer !== 'number') {
            throw new TypeError(`similarity must return a number, found ${describe(answer)}`);
          }
          data[count++] = answer;
        }
      }
    }
  }
  return { name: 'similarity', data, type: 'Float32Array', dims: [data.length], scales: undefined };
}

export function kernelAttention(heap) {
  const { Similarity } = heap.enums;
  return {
    kernelAttention(query, key, value, options) {
      const read = readOptions('kernelAttention', options, kinds);
      const chosen = read.similarity ?? 'exponential';
      const { bandwidth, constant, degree } = read;
      const fields = {
        ...attentionFields(read, heap.enums),
        bandwidth,
        constant,
        degree,
        similarity: Similarity[typeof chosen === 'function' ? 'given' : chosen],
        query: readTensor('query', query),
        key: readTensor('key', key),
        value: readTensor('value', value),
      };
      if (typeof chosen === 'function') {
        const facts = heap.facts('kernelAttention', fields);
        // Copies, which every call of the caller's function sees: the call itself is computed from them too.
        fields.query = widened(heap, fields.query);
        fields.key = widened(heap, fields.key);
        fields.matrix = compareAll(chosen, fields.query, fields.key, facts);
      }
      return heap.call('kernelAttention', fields);
    },
  };
}
