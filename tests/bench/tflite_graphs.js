// The graphs of a shape for LiteRT.js: attention of all heads at once, or a whole layer.

import { tfliteModel } from './tflite_writer.js';

const scalar = (value) => ({ data: Float32Array.of(value), dims: [1] });

/** Nodes of attention over query [heads × qLen × dim], key and value of kLen rows: weights and output. */
function attentionNodes({ heads, qLen, kLen, dim }, [query, key, value], mask) {
  const square = [heads, qLen, kLen];
  return [
    ['MUL', [query, 'scale'], 'scaled', [heads, qLen, dim]],
    ['BATCH_MATMUL', ['scaled', key], 'scores', square, { turned: true }],
    ...(mask ? [['ADD', ['scores', mask], 'masked', square]] : []),
    ['SOFTMAX', [mask ? 'masked' : 'scores'], 'weights', square],
    ['BATCH_MATMUL', ['weights', value], 'output', [heads, qLen, dim]],
  ];
}

function attentionModel(shape) {
  const { heads, qLen, kLen, dim, causal, weights } = shape;
  return tfliteModel({
    inputs: {
      query: [heads, qLen, dim],
      key: [heads, kLen, dim],
      value: [heads, kLen, dim],
      ...(causal && { mask: [1, qLen, kLen] }),
    },
    constants: { scale: scalar(1 / Math.sqrt(dim)) },
    nodes: attentionNodes(shape, ['query', 'key', 'value'], causal && 'mask'),
    outputs: weights ? ['output', 'weights'] : ['output'],
  });
}

function layerModel(shape, { outIn, biases }) {
  const { heads, qLen, dim, modelDim } = shape;
  const integers = (...list) => ({ data: Int32Array.from(list), dims: [list.length] });
  const parts = ['query', 'key', 'value'];
  const matrices = Object.fromEntries(
    [...parts, 'output'].flatMap((name) => [
      [`${name} weight`, { data: outIn[name], dims: [modelDim, modelDim] }],
      [`${name} bias`, { data: biases[name], dims: [modelDim] }],
    ]),
  );
  const linear = (name, from, to) => [
    'FULLY_CONNECTED',
    [from, `${name} weight`, `${name} bias`],
    to,
    [qLen, modelDim],
  ];
  return tfliteModel({
    inputs: { x: [qLen, modelDim] },
    constants: {
      scale: scalar(1 / Math.sqrt(dim)),
      split: integers(qLen, heads, dim),
      joined: integers(qLen, modelDim),
      headsFirst: integers(1, 0, 2),
      ...matrices,
    },
    nodes: [
      ...parts.flatMap((name) => [
        linear(name, 'x', `${name} rows`),
        ['RESHAPE', [`${name} rows`, 'split'], `${name} parts`, [qLen, heads, dim]],
        ['TRANSPOSE', [`${name} parts`, 'headsFirst'], name, [heads, qLen, dim]],
      ]),
      ...attentionNodes(shape, parts),
      ['TRANSPOSE', ['output', 'headsFirst'], 'output parts', [qLen, heads, dim]],
      ['RESHAPE', ['output parts', 'joined'], 'output rows', [qLen, modelDim]],
      linear('output', 'output rows', 'y'),
    ],
    outputs: ['y'],
  });
}

/** { model, dims }: the model as bytes, and the dims of its inputs by name. */
export function tfliteGraph(shape, inputs) {
  const { heads, qLen, kLen, dim, modelDim, causal } = shape;
  if (shape.kind === 'layer') {
    return { model: layerModel(shape, inputs), dims: { x: [qLen, modelDim] } };
  }
  const dims = { query: [heads, qLen, dim], key: [heads, kLen, dim], value: [heads, kLen, dim] };
  return {
    model: attentionModel(shape),
    dims: causal ? { ...dims, mask: [1, qLen, kLen] } : dims,
  };
}
