// Attention and multi-head layers as ONNX graphs, in every form that onnxruntime supports. The fastest
// one depends on the shape, so all are measured.
//
// A graph is { layout, feeds, outputs, model() }: which inputs it takes in which dims, and its bytes.

import { onnxStacks } from './onnx_stacks.js';
import { onnxModel, shapeConstant } from './onnx_writer.js';

const scalar = (value) => ({ data: Float32Array.of(value), dims: [1] });

/** Additive causal mask: 0 for visible keys, a large negative number above the diagonal. */
function causalMask({ qLen, kLen }) {
  const value = scalar(-1e30);
  return {
    constants: { maskDims: shapeConstant(qLen, kLen), one: shapeConstant(kLen - qLen + 1) },
    nodes: [
      ['ConstantOfShape', ['maskDims'], ['full'], { value: { tensor: value } }],
      ['Squeeze', ['one'], ['diagonal']],
      ['Trilu', ['full', 'diagonal'], ['mask'], { upper: { integer: 1 } }],
    ],
  };
}

function graph(layout, { heads, qLen, kLen, weights }, { dims, ...rest }) {
  const outputs = { output: dims.query };
  if (weights) outputs.weights = [1, heads, qLen, kLen];
  const model = () => onnxModel({ inputs: dims, outputs, ...rest });
  return { layout, feeds: dims, outputs: Object.keys(outputs), model };
}

const headsFirstDims = ({ heads, qLen, kLen, dim }) => ({
  query: [1, heads, qLen, dim],
  key: [1, heads, kLen, dim],
  value: [1, heads, kLen, dim],
});

const tokensFirstDims = ({ heads, qLen, kLen, dim }) => ({
  query: [1, qLen, heads * dim],
  key: [1, kLen, heads * dim],
  value: [1, kLen, heads * dim],
});

/** MatMul, Softmax, MatMul; the product with the keys by `product(scaled)`. */
function stepByStep(shape, product) {
  const mask = shape.causal ? causalMask(shape) : { constants: {}, nodes: [] };
  const { constants, nodes } = product(1 / Math.sqrt(shape.dim));
  return graph('headsFirst', shape, {
    dims: headsFirstDims(shape),
    constants: { ...constants, ...mask.constants },
    nodes: [
      ...mask.nodes,
      ...nodes,
      ...(shape.causal ? [['Add', ['scores', 'mask'], ['masked']]] : []),
      ['Softmax', [shape.causal ? 'masked' : 'scores'], ['weights'], { axis: { integer: -1 } }],
      ['MatMul', ['weights', 'value'], ['output']],
    ],
  });
}

const decomposed = (shape) =>
  stepByStep(shape, (scale) => ({
    constants: { scale: scalar(scale) },
    nodes: [
      ['Mul', ['query', 'scale'], ['scaled']],
      ['Transpose', ['key'], ['turned'], { perm: { integers: [0, 1, 3, 2] } }],
      ['MatMul', ['scaled', 'turned'], ['scores']],
    ],
  }));

const fusedMatMul = (shape) =>
  stepByStep(shape, (scale) => ({
    constants: {},
    nodes: [
      [
        'com.microsoft/FusedMatMul',
        ['query', 'key'],
        ['scores'],
        { alpha: { float: scale }, transB: { integer: 1 } },
      ],
    ],
  }));

function attentionOperator(layout, dimsOf, attributesOf) {
  return (shape) =>
    graph(layout, shape, {
      dims: dimsOf(shape),
      nodes: [
        [
          'Attention',
          ['query', 'key', 'value'],
          shape.weights ? ['output', '', '', 'weights'] : ['output'],
          {
            ...attributesOf(shape),
            ...(shape.causal && { is_causal: { integer: 1 } }),
            ...(shape.weights && { qk_matmul_output_mode: { integer: 3 } }),
          },
        ],
      ],
    });
}

const multiHeadAttention = (shape) => {
  const attributes = { num_heads: { integer: shape.heads } };
  if (shape.causal) attributes.unidirectional = { integer: 1 };
  return graph('tokensFirst', shape, {
    dims: tokensFirstDims(shape),
    nodes: [
      ['com.microsoft/MultiHeadAttention', ['query', 'key', 'value'], ['output'], attributes],
    ],
  });
};

/** Projects x to query, key and value, [1 × rows × modelDim] each, by one product. */
function projections({ modelDim }, { inOut, biases }) {
  const names = ['query', 'key', 'value'];
  const together = new Float32Array(3 * modelDim * modelDim);
  names.forEach((name, part) => {
    for (let row = 0; row < modelDim; row++) {
      const from = inOut[name].subarray(row * modelDim, (row + 1) * modelDim);
      together.set(from, (3 * row + part) * modelDim);
    }
  });
  const bias = new Float32Array(3 * modelDim);
  names.forEach((name, part) => bias.set(biases[name], part * modelDim));
  return {
    together: { data: together, dims: [modelDim, 3 * modelDim] },
    togetherBias: { data: bias, dims: [3 * modelDim] },
    outputMatrix: { data: inOut.output, dims: [modelDim, modelDim] },
    outputBias: { data: biases.output, dims: [modelDim] },
  };
}

const separately = ({ modelDim }, { inOut, biases }) =>
  Object.fromEntries(
    ['query', 'key', 'value'].flatMap((name) => [
      [`${name}Matrix`, { data: inOut[name], dims: [modelDim, modelDim] }],
      [`${name}Bias`, { data: biases[name], dims: [modelDim] }],
    ]),
  );

const separateProducts = ['query', 'key', 'value'].flatMap((name) => [
  ['MatMul', ['x', `${name}Matrix`], [`${name}Product`]],
  ['Add', [`${name}Product`, `${name}Bias`], [name]],
]);

const oneProduct = [
  ['MatMul', ['x', 'together'], ['product']],
  ['Add', ['product', 'togetherBias'], ['projected']],
  [
    'Split',
    ['projected'],
    ['query', 'key', 'value'],
    { axis: { integer: -1 }, num_outputs: { integer: 3 } },
  ],
];

const outputProduct = [
  ['MatMul', ['heads', 'outputMatrix'], ['headsProduct']],
  ['Add', ['headsProduct', 'outputBias'], ['output']],
];

function layerGraph({ qLen, modelDim }, constants, nodes) {
  const dims = [1, qLen, modelDim];
  return {
    layout: 'x',
    feeds: { x: dims },
    outputs: ['output'],
    model: () =>
      onnxModel({
        inputs: { x: dims },
        outputs: { output: dims },
        constants,
        nodes: [...nodes, ...outputProduct],
      }),
  };
}

/** Attention head by head of query, key and value [1 × rows × modelDim] → heads of the same dims. */
const attendByProducts = [
  ...['query', 'key', 'value'].flatMap((name) => [
    ['Reshape', [name, 'apart'], [`${name}Apart`]],
    [
      'Transpose',
      [`${name}Apart`],
      [`${name}Heads`],
      { perm: { integers: name === 'key' ? [0, 2, 3, 1] : [0, 2, 1, 3] } },
    ],
  ]),
  ['Mul', ['queryHeads', 'scale'], ['scaled']],
  ['MatMul', ['scaled', 'keyHeads'], ['scores']],
  ['Softmax', ['scores'], ['weights'], { axis: { integer: -1 } }],
  ['MatMul', ['weights', 'valueHeads'], ['mixed']],
  ['Transpose', ['mixed'], ['mixedTokens'], { perm: { integers: [0, 2, 1, 3] } }],
  ['Reshape', ['mixedTokens', 'side'], ['heads']],
];

const productConstants = ({ qLen, heads, dim, modelDim }) => ({
  apart: shapeConstant(1, qLen, heads, dim),
  side: shapeConstant(1, qLen, modelDim),
  scale: scalar(1 / Math.sqrt(dim)),
});

function layerGraphs(shape, inputs) {
  const one = projections(shape, inputs);
  const three = { ...one, ...separately(shape, inputs) };
  const headCount = { num_heads: { integer: shape.heads } };
  const fused = [
    'com.microsoft/MultiHeadAttention',
    ['query', 'key', 'value'],
    ['heads'],
    headCount,
  ];
  const attention = [
    'com.microsoft/Attention',
    ['x', 'together', 'togetherBias'],
    ['heads'],
    headCount,
  ];
  const pick = (constants, ...names) =>
    Object.fromEntries(names.map((name) => [name, constants[name]]));
  const shared = ['outputMatrix', 'outputBias'];
  const apart = ['query', 'key', 'value'].flatMap((name) => [`${name}Matrix`, `${name}Bias`]);
  const together = ['together', 'togetherBias'];
  const products = productConstants(shape);
  return {
    'MatMul, four products': layerGraph(
      shape,
      { ...pick(three, ...apart, ...shared), ...products },
      [...separateProducts, ...attendByProducts],
    ),
    'MatMul, two products': layerGraph(
      shape,
      { ...pick(one, ...together, ...shared), ...products },
      [...oneProduct, ...attendByProducts],
    ),
    MultiHeadAttention: layerGraph(shape, pick(one, ...together, ...shared), [
      ...oneProduct,
      fused,
    ]),
    'com.microsoft Attention': layerGraph(shape, pick(one, ...together, ...shared), [attention]),
  };
}

function attentionGraphs(shape) {
  const headCounts = ({ heads }) => ({
    q_num_heads: { integer: heads },
    kv_num_heads: { integer: heads },
  });
  const products = {
    'MatMul, Softmax, MatMul': decomposed(shape),
    FusedMatMul: fusedMatMul(shape),
  };
  // From 4,096 tokens on, the fused operators overflow one of their integers, and a failed run would leak memory.
  if (shape.alone) return products;
  const graphs = {
    ...products,
    'Attention of 4 dims': attentionOperator('headsFirst', headsFirstDims, () => ({}))(shape),
    'Attention of 3 dims': attentionOperator('tokensFirst', tokensFirstDims, headCounts)(shape),
  };
  // This operator does not return its weights.
  if (!shape.weights) graphs.MultiHeadAttention = multiHeadAttention(shape);
  return graphs;
}

/** All graphs for a shape, by name. */
export function onnxGraphs(shape, inputs) {
  if (shape.layers) return onnxStacks(shape, inputs);
  return shape.kind === 'layer' ? layerGraphs(shape, inputs) : attentionGraphs(shape);
}
