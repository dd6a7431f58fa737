// Stacks of Transformer layers as ONNX graphs: an encoder over all rows, and a decoder for one more row, whose
// keys and values are inputs and outputs.

import { layerMatrices } from './layer_stack.js';
import { onnxModel, shapeConstant } from './onnx_writer.js';

const linear = (name, input, output) => [
  ['MatMul', [input, name], [`${output}Product`]],
  ['Add', [`${output}Product`, `${name}Bias`], [output]],
];

const normed = (name, input, output) => [
  ['LayerNormalization', [input, name, `${name}Bias`], [output]],
];

const sum = (one, other, output) => [['Add', [one, other], [output]]];

const heads = (input, output, perm) => [
  ['Reshape', [input, 'apart'], [`${output}Apart`]],
  ['Transpose', [`${output}Apart`], [output], { perm: { integers: perm } }],
];

/** Attention of queries, keys and values [1 × heads × rows × dim]. */
const products = (at, query, key, value, output) => [
  ['Mul', [query, 'scale'], [at('scaled')]],
  ['Transpose', [key], [at('turned')], { perm: { integers: [0, 1, 3, 2] } }],
  ['MatMul', [at('scaled'), at('turned')], [at('scores')]],
  ['Softmax', [at('scores')], [at('weights')], { axis: { integer: -1 } }],
  ['MatMul', [at('weights'), value], [at('mixed')]],
  ['Transpose', [at('mixed')], [at('mixedTokens')], { perm: { integers: [0, 2, 1, 3] } }],
  ['Reshape', [at('mixedTokens'), 'side'], [output]],
];

const apart = (at) =>
  ['query', 'key', 'value'].flatMap((name) =>
    heads(at(`${name}Rows`), at(`${name}Heads`), [0, 2, 1, 3]),
  );

/** Attention variants: from projected rows to concatenated heads. */
const attentions = {
  'MatMul, Softmax, MatMul': (at, output) => [
    ...apart(at),
    ...products(at, at('queryHeads'), at('keyHeads'), at('valueHeads'), output),
  ],
  MultiHeadAttention: (at, output, { heads: count }) => [
    [
      'com.microsoft/MultiHeadAttention',
      ['query', 'key', 'value'].map((name) => at(`${name}Rows`)),
      [output],
      { num_heads: { integer: count } },
    ],
  ],
};

const withPast = (at, output) => [
  ...apart(at),
  ...['key', 'value'].map((name) => [
    'Concat',
    [at(`${name}Past`), at(`${name}Heads`)],
    [at(`${name}All`)],
    { axis: { integer: 2 } },
  ]),
  ...products(at, at('queryHeads'), at('keyAll'), at('valueAll'), output),
];

function attend(at, shape, attention, input, output) {
  return [
    ...['query', 'key', 'value'].flatMap((name) => linear(at(name), input, at(`${name}Rows`))),
    ...attention(at, at('heads'), shape),
    ...linear(at('output'), at('heads'), output),
  ];
}

function feedForward(at, gelu, input, output) {
  return [
    ...linear(at('widen'), input, at('hidden')),
    [gelu, [at('hidden')], [at('active')]],
    ...linear(at('narrow'), at('active'), output),
  ];
}

const encoderLayer = (at, shape, attention, input, output) => [
  ...attend(at, shape, attention, input, at('attended')),
  ...sum(input, at('attended'), at('sum')),
  ...normed(at('selfNorm'), at('sum'), at('between')),
  ...feedForward(at, 'Gelu', at('between'), at('fed')),
  ...sum(at('between'), at('fed'), at('fedSum')),
  ...normed(at('feedForwardNorm'), at('fedSum'), output),
];

const decoderLayer = (at, shape, attention, input, output) => [
  ...normed(at('selfNorm'), input, at('normed')),
  ...attend(at, shape, attention, at('normed'), at('attended')),
  ...sum(input, at('attended'), at('between')),
  ...normed(at('feedForwardNorm'), at('between'), at('normedBetween')),
  ...feedForward(at, 'com.microsoft/FastGelu', at('normedBetween'), at('fed')),
  ...sum(at('between'), at('fed'), output),
];

function constantsOf(shape, rows, layers) {
  const { heads: count, dim, modelDim } = shape;
  const constants = {
    apart: shapeConstant(1, rows, count, dim),
    side: shapeConstant(1, rows, modelDim),
    scale: { data: Float32Array.of(1 / Math.sqrt(dim)), dims: [1] },
  };
  const matrices = layerMatrices(shape);
  layers.forEach((layer, number) => {
    for (const [name, data] of Object.entries(layer)) {
      const matrix = matrices[name];
      const dims = matrix ? [matrix.rows, matrix.columns] : [data.length];
      constants[`${number}.${name}`] = { data, dims };
    }
  });
  return constants;
}

function model(shape, rows, inputs, layerNodes, attention, { past = {}, present = {} } = {}) {
  const { layers, modelDim } = shape;
  const between = (number) => {
    if (number === 0) return 'x';
    return number === layers ? 'output' : `x${number}`;
  };
  const nodes = Array.from({ length: layers }, (_, number) =>
    layerNodes(
      (name) => `${number}.${name}`,
      shape,
      attention,
      between(number),
      between(number + 1),
    ),
  );
  return onnxModel({
    inputs: { x: [1, rows, modelDim], ...past },
    outputs: { output: [1, rows, modelDim], ...present },
    constants: constantsOf(shape, rows, inputs.layers),
    nodes: nodes.flat(),
  });
}

function encoders(shape, inputs) {
  const { qLen, modelDim } = shape;
  return Object.fromEntries(
    Object.entries(attentions).map(([name, attention]) => [
      name,
      {
        layout: 'x',
        feeds: { x: [1, qLen, modelDim] },
        model: () => model(shape, qLen, inputs, encoderLayer, attention),
      },
    ]),
  );
}

function decoder(shape, inputs) {
  const { layers, heads: count, dim, qLen, modelDim } = shape;
  const names = Array.from({ length: layers }, (_, number) => [
    `${number}.key`,
    `${number}.value`,
  ]).flat();
  const named = (suffix, dims) =>
    Object.fromEntries(names.map((name) => [`${name}${suffix}`, dims]));
  return {
    layout: 'x',
    model: () =>
      model(shape, 1, inputs, decoderLayer, withPast, {
        past: named('Past', [1, count, 'past', dim]),
        present: named('All', [1, count, 'all', dim]),
      }),
    /** One row at a time; each step takes the keys and values of the step before. */
    async steps(session, Tensor) {
      const output = new Float32Array(qLen * modelDim);
      const nothing = new Tensor('float32', new Float32Array(0), [1, count, 0, dim]);
      const feeds = named('Past', nothing);
      for (let row = 0; row < qLen; row++) {
        const from = inputs.x.subarray(row * modelDim, (row + 1) * modelDim);
        feeds.x = new Tensor('float32', from, [1, 1, modelDim]);
        const results = await session.run(feeds);
        output.set(results.output.data, row * modelDim);
        for (const name of names) feeds[`${name}Past`] = results[`${name}All`];
      }
      return { output };
    },
  };
}

/** Graphs for a stack of layers, by name. */
export function onnxStacks(shape, inputs) {
  return shape.kind === 'encoder'
    ? encoders(shape, inputs)
    : { 'keys and values in and out': decoder(shape, inputs) };
}
