// The cases of cases.json with their numbers. Numbers come from a random stream seeded by the name of the case: no case
// changes the numbers of another. README.md describes the fields of a case.
import { readFileSync } from 'node:fs';

import { oracleLinearAttention } from '../support/js/oracle_linear_attention.js';
import {
  additiveMask,
  attentionTensors,
  booleanMask,
  normalTensor,
  seeded,
} from '../support/js/random_tensors.js';
import { fill } from '../support/js/rearrange.js';
import { similarityFunctions } from '../support/js/similarity_functions.js';
import { edits } from './case_edits.js';
import { drawDecoder, drawEncoder, drawMultiHead } from './case_layers.js';
import { masks } from './case_masks.js';

const { functions } = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));

// Each function draws the inputs of a case, and the weights and `construct` of a layer; it may add options.
const draws = {
  attention: drawAttention,
  kernelAttention: drawKernelAttention,
  linearAttention: drawLinearAttention,
  rotaryEmbedding: drawRotary,
  multiHeadAttention: drawMultiHead,
  transformerEncoderLayer: drawEncoder,
  transformerDecoderLayer: drawDecoder,
};

/** The cases of a function: { name, comment, function, options, inputs, weights?, construct?, exactBiases? }. */
export function casesOf(called) {
  const { prefix, cases } = functions[called];
  return cases.map((one) => {
    const random = seeded(one.name);
    const options = readOptions(one.options);
    const drawn = draws[called](random, one.sizes, options);
    const made = { name: prefix + one.name, comment: one.comment, function: called, options };
    Object.assign(made, drawn);
    for (const which of ['mask', 'crossMask']) {
      if (one[which]) made.inputs[which] = drawMask(random, one[which], one.sizes);
    }
    if (one.exactBiases) made.exactBiases = one.exactBiases;
    edit(made.inputs, one);
    return made;
  });
}

function readOptions({ similarityFunction, ...options } = {}) {
  if (!similarityFunction) return options;
  return { similarity: similarityFunctions[similarityFunction], ...options };
}

function drawMask(random, mask, { qLen, kLen }) {
  if (mask.boolean) return booleanMask(random, mask.boolean, mask.open);
  if (mask.additive) return additiveMask(random, mask.additive, mask.hidden);
  const numbers = Array.from({ length: qLen * kLen }, (_, at) =>
    masks[mask](Math.floor(at / kLen), at % kLen),
  );
  const isAdditive = typeof masks[mask](0, 0) === 'number';
  const data = isAdditive ? Float32Array.from(numbers) : Uint8Array.from(numbers, Number);
  return { dims: [qLen, kLen], data };
}

/** Applies the changes of a case: to whole tensors, by a named function, then to single elements and rows. */
function edit(inputs, { values = {}, edit: name, fill: fills = [] }) {
  for (const [which, numbers] of Object.entries(values)) {
    const { data } = inputs[which];
    for (let at = 0; at < data.length; at++) data[at] = Number(numbers[at % numbers.length]);
  }
  if (name) edits[name](inputs);
  for (const [which, index, number] of fills) fill(inputs[which], index, Number(number));
}

/** Draws query, key and value; at rank 3 and 2 the head counts become options. */
function drawAttention(random, sizes, options) {
  const named = { ...options };
  if ((sizes.rank ?? 4) < 4) {
    if (sizes.kvHeads != null) named.kvHeads = sizes.kvHeads;
    if (sizes.heads != null) named.heads = sizes.heads;
  }
  return { inputs: attentionTensors(random, sizes), options: named };
}

/**
 * Similarities that can be negative get queries and keys around 2 instead of 0: otherwise their sums nearly cancel and no
 * significant digit remains.
 */
function drawKernelAttention(random, sizes, options) {
  const drawn = drawAttention(random, sizes, options);
  const signed = options.similarity === 'cosine' || (options.degree ?? 2) % 2 === 1;
  if (signed) {
    for (const { data } of [drawn.inputs.query, drawn.inputs.key]) {
      data.forEach((x, at) => (data[at] = x + 2));
    }
  }
  return drawn;
}

/** With the state 'given', the call continues from a state of equally many other tokens. */
function drawLinearAttention(random, sizes, options) {
  const { inputs, options: named } = drawAttention(random, sizes, options);
  if (options.state === 'given') {
    named.state = true;
    const { query, key, value } = attentionTensors(random, sizes);
    const { causal: _causal, keyLengths: _keyLengths, ...rest } = named;
    const state = oracleLinearAttention(query, key, value, rest);
    for (const which of ['S', 'z']) {
      const { dims, data } = state[which];
      inputs[which] = { dims, data: Float32Array.from(data) };
    }
  }
  return { inputs, options: named };
}

/** Draws x, and cosine and sine tables where the sizes have `tables`. */
function drawRotary(random, { dims, tables }) {
  const inputs = { x: normalTensor(random, dims) };
  if (tables) {
    const angles = Array.from({ length: tables[0] * tables[1] }, () => 7 * random.uniform());
    inputs.cos = { dims: tables, data: Float32Array.from(angles, Math.cos) };
    inputs.sin = { dims: tables, data: Float32Array.from(angles, Math.sin) };
  }
  return { inputs };
}
