// Inputs and weights of the layer cases in cases.json: weight matrices of unit gain, norm weights near 1.
import { normalTensor } from '../support/js/random_tensors.js';

const BIASES = ['queryBias', 'keyBias', 'valueBias', 'outputBias'];

/** x and, if it has a length, the context (or encoder output); rank 2 without a batch. */
function drawInputs(random, { batch, qLen, kLen, modelDim }, name, dim = modelDim) {
  const lead = batch == null ? [] : [batch];
  const inputs = { x: normalTensor(random, [...lead, qLen, modelDim]) };
  if (kLen != null) inputs[name] = normalTensor(random, [...lead, kLen, dim]);
  return inputs;
}

/**
 * Sizes: batch (none: rank 2), qLen, kLen (none: self-attention), modelDim, contextDim, outDim, heads, kvHeads, keyDim,
 * valueDim; and which `biases` there are. Without keyDim, the weights have the form of nn.MultiheadAttention.
 */
export function drawMultiHead(random, sizes) {
  const { weights, construct } = (sizes.keyDim == null ? torchForm : ownForm)(random, sizes);
  return { inputs: drawInputs(random, sizes, 'context', sizes.contextDim), weights, construct };
}

function ownForm(random, sizes) {
  const { modelDim, contextDim = modelDim, outDim = modelDim, heads, kvHeads = heads } = sizes;
  const { keyDim, valueDim = keyDim, biases = BIASES } = sizes;
  const matrix = (inDim, out) => normalTensor(random, [inDim, out], inDim ** -0.5);
  const weights = {
    query: matrix(modelDim, heads * keyDim),
    key: matrix(contextDim, kvHeads * keyDim),
    value: matrix(contextDim, kvHeads * valueDim),
    output: matrix(heads * valueDim, outDim),
  };
  for (const bias of biases) {
    weights[bias] = normalTensor(random, [weights[bias.replace('Bias', '')].dims[1]], 0.25);
  }
  const construct = { form: 'weights', heads };
  if (kvHeads !== heads) construct.kvHeads = kvHeads;
  return { weights, construct };
}

function torchForm(random, { modelDim, contextDim = modelDim, heads, biased = true, prefix = '' }) {
  const weights = {};
  const put = (name, dims, spread) => (weights[prefix + name] = normalTensor(random, dims, spread));
  putAttention(put, '', modelDim, contextDim, biased);
  return { weights, construct: { form: 'torch', heads, ...(prefix && { prefix }) } };
}

/** nn.MultiheadAttention: separate matrices for queries, keys and values if the context has another width. */
function putAttention(put, part, modelDim, contextDim, biased) {
  const projection = (name, rows, columns) =>
    put(`${part}${name}_weight`, [rows, columns], columns ** -0.5);
  if (contextDim === modelDim) projection('in_proj', 3 * modelDim, modelDim);
  else {
    projection('q_proj', modelDim, modelDim);
    projection('k_proj', modelDim, contextDim);
    projection('v_proj', modelDim, contextDim);
  }
  if (biased) put(`${part}in_proj_bias`, [3 * modelDim], 0.25);
  put(`${part}out_proj.weight`, [modelDim, modelDim], modelDim ** -0.5);
  if (biased) put(`${part}out_proj.bias`, [modelDim], 0.25);
}

/**
 * Sizes: batch (none: rank 2), qLen, kLen (of the memory), modelDim, memoryDim, feedForwardDim, heads; whether it is
 * `biased`; and how the layer is constructed.
 */
const drawTransformer = (isDecoder) => (random, sizes) => {
  const weights = stateOf(random, sizes, isDecoder);
  const { heads, construct, memoryDim } = sizes;
  const inputs = drawInputs(random, sizes, 'memory', memoryDim);
  return { inputs, weights, construct: { heads, ...construct } };
};
export const drawEncoder = drawTransformer(false);
export const drawDecoder = drawTransformer(true);

/** A state dict of PyTorch's names. */
function stateOf(random, sizes, isDecoder) {
  const { modelDim, memoryDim = modelDim, feedForwardDim, construct = {}, biased = true } = sizes;
  const { prefix = '', norm = 'layer' } = construct;
  const state = {};
  const put = (name, dims, spread, mean = 0) => {
    const tensor = normalTensor(random, dims, spread);
    state[prefix + name] = { dims, data: tensor.data.map((x) => x + mean) };
  };
  putAttention(put, 'self_attn.', modelDim, modelDim, biased);
  if (isDecoder) putAttention(put, 'multihead_attn.', modelDim, memoryDim, biased);
  put('linear1.weight', [feedForwardDim, modelDim], modelDim ** -0.5);
  if (biased) put('linear1.bias', [feedForwardDim], 0.25);
  put('linear2.weight', [modelDim, feedForwardDim], feedForwardDim ** -0.5);
  if (biased) put('linear2.bias', [modelDim], 0.25);
  for (let n = 1; n <= (isDecoder ? 3 : 2); n++) {
    put(`norm${n}.weight`, [modelDim], 0.25, 1);
    if (biased && norm === 'layer') put(`norm${n}.bias`, [modelDim], 0.25);
  }
  return state;
}
