// BERT and GPT-2 as ONNX graphs, with onnxruntime's fused operators, and in 8 bits. GPT-2 takes one token at a time with
// cached keys and values, as transformers.js runs it.
import { onnxModel, shapeConstant } from './onnx_writer.js';

const width = 768;
const heads = 12;
const dim = width / heads;
const layers = 12;
const float32 = 1;
const int64 = 7;

/** out × in → in × out, matrices side by side. */
function sideBySide(matrices) {
  const columns = matrices.length * width;
  const data = new Float32Array(width * columns);
  matrices.forEach(({ data: from }, part) => {
    for (let out = 0; out < width; out++) {
      for (let i = 0; i < width; i++)
        data[i * columns + part * width + out] = from[out * width + i];
    }
  });
  return { data, dims: [width, columns] };
}

function turned({ data: from, dims: [rows, columns] }) {
  const data = new Float32Array(from.length);
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < columns; c++) data[c * rows + row] = from[row * columns + c];
  }
  return { data, dims: [columns, rows] };
}

const joined = (vectors) => ({
  data: Float32Array.from(vectors.flatMap(({ data }) => [...data])),
  dims: [vectors.length * width],
});

const axis = (at) => ({ axis: { integer: at } });
const normed = (epsilon) => ({ ...axis(-1), epsilon: { float: epsilon } });
const headCount = { num_heads: { integer: heads } };

/** Builder of a graph: nodes in order, and constants. */
class Graph {
  nodes = [];
  constants = {};

  constant(name, tensor) {
    this.constants[name] = tensor;
    return name;
  }

  add(type, inputs, attributes, outputs = 1) {
    const names = Array.from({ length: outputs }, (_, n) => `r${this.nodes.length}_${n}`);
    this.nodes.push([type, inputs, names, attributes]);
    return outputs === 1 ? names[0] : names;
  }

  dense(x, name, weight, bias) {
    const product = this.product(x, `${name}.weight`, weight);
    return this.add('Add', [product, this.constant(`${name}.bias`, bias)]);
  }

  product(x, name, weight) {
    return this.add('MatMul', [x, this.constant(name, weight)]);
  }

  table(name, tensor, ids) {
    return this.add('Gather', [this.constant(name, tensor), ids]);
  }

  norm(x, name, tensors, epsilon) {
    const [weight, bias] = ['weight', 'bias'].map((part) =>
      this.constant(`${name}.${part}`, tensors.get(`${name}.${part}`)),
    );
    return this.add('LayerNormalization', [x, weight, bias], normed(epsilon));
  }

  rowsOf(name, tensors, ids) {
    const whole = this.add('Cast', [ids], { to: { integer: int64 } });
    return this.table(name, tensors.get(name), whole);
  }

  /** [1, n, width] → [1, heads, n, dim], or transposed [1, heads, dim, n]. */
  apart(x, perm = [0, 2, 1, 3]) {
    const shape = this.constant('apart', shapeConstant(1, -1, heads, dim));
    return this.add('Transpose', [this.add('Reshape', [x, shape])], { perm: { integers: perm } });
  }

  together(x) {
    const shape = this.constant('together', shapeConstant(1, -1, width));
    const tokens = this.add('Transpose', [x], { perm: { integers: [0, 2, 1, 3] } });
    return this.add('Reshape', [tokens, shape]);
  }

  /** Attention of heads, with transposed keys. */
  attend(query, key, value) {
    const scale = { data: Float32Array.of(dim ** -0.5), dims: [1] };
    const scaled = this.add('Mul', [query, this.constant('scale', scale)]);
    const weights = this.add('Softmax', [this.add('MatMul', [scaled, key])], axis(-1));
    return this.together(this.add('MatMul', [weights, value]));
  }

  thirds(x) {
    return this.add('Split', [x], { ...axis(-1), num_outputs: { integer: 3 } }, 3);
  }
}

/**
 * 8 bits as transformers.js' converter writes them (scripts/quantize.py: ONNXQuantizer, IntegerOps, not per channel): a
 * matrix and its inputs have one scale each, that of the inputs is found while it runs. Attention stays float32.
 */
class QuantizedGraph extends Graph {
  #quantized = new Map(); // inputs that are multiplied with several matrices are quantized once

  #scalar(name, data) {
    return this.constant(name, { data, dims: [] });
  }

  /** The names of a matrix as int8 and of its scale. */
  #integers(name, { data, dims }) {
    // Loops: callbacks for each of 100 million numbers take minutes in a page.
    let largest = 0;
    for (let n = 0; n < data.length; n++) largest = Math.max(largest, Math.abs(data[n]));
    const scale = largest / 127;
    const numbers = new Int8Array(data.length);
    for (let n = 0; n < data.length; n++) numbers[n] = Math.round(data[n] / scale);
    return [
      this.constant(`${name}.integers`, { data: numbers, dims }),
      this.#scalar(`${name}.scale`, Float32Array.of(scale)),
    ];
  }

  product(x, name, weight) {
    if (!this.#quantized.has(x)) {
      this.#quantized.set(x, this.add('DynamicQuantizeLinear', [x], {}, 3));
    }
    const [rows, scaleOfRows, zeroOfRows] = this.#quantized.get(x);
    const [matrix, scale] = this.#integers(name, weight);
    const zero = this.#scalar('zero of matrices', Int8Array.of(0));
    const sums = this.add('MatMulInteger', [rows, matrix, zeroOfRows, zero]);
    const floats = this.add('Cast', [sums], { to: { integer: float32 } });
    return this.add('Mul', [floats, this.add('Mul', [scaleOfRows, scale])]);
  }

  table(name, tensor, ids) {
    const [table, scale] = this.#integers(name, tensor);
    return this.add('DequantizeLinear', [this.add('Gather', [table, ids]), scale]);
  }
}

const graphOf = (kind) => (kind === 'q8' ? new QuantizedGraph() : new Graph());

function addBertLayer(graph, x, tensors, n, kind) {
  const at = `encoder.layer.${n}.`;
  const get = (name, part = 'weight') => tensors.get(`${at}${name}.${part}`);
  const dense = (input, name) =>
    graph.dense(input, `${at}${name}`, turned(get(name)), get(name, 'bias'));
  const parts = ['query', 'key', 'value'].map((part) => `attention.self.${part}`);
  let mixed;
  if (kind === 'q8') {
    const [query, key, value] = parts.map((part) => dense(x, part));
    mixed = graph.attend(graph.apart(query), graph.apart(key, [0, 2, 3, 1]), graph.apart(value));
  } else {
    const weight = sideBySide(parts.map((part) => get(part)));
    const bias = joined(parts.map((part) => get(part, 'bias')));
    const together = graph.constant(`${at}qkv.weight`, weight);
    const biases = graph.constant(`${at}qkv.bias`, bias);
    mixed = graph.add('com.microsoft/Attention', [x, together, biases], headCount);
  }
  const summed = graph.add('Add', [x, dense(mixed, 'attention.output.dense')]);
  const between = graph.norm(summed, `${at}attention.output.LayerNorm`, tensors, 1e-12);
  const wide = graph.add('Gelu', [dense(between, 'intermediate.dense')]);
  const output = graph.add('Add', [between, dense(wide, 'output.dense')]);
  return graph.norm(output, `${at}output.LayerNorm`, tensors, 1e-12);
}

/** ids, positions and types [1, n] as float32 → hidden [1, n, width]. kind: 'fused' or 'q8'. */
export function bertGraph(tensors, count, kind) {
  const graph = graphOf(kind);
  const tables = { ids: 'word', positions: 'position', types: 'token_type' };
  const vectors = Object.entries(tables).map(([input, name]) =>
    graph.rowsOf(`embeddings.${name}_embeddings.weight`, tensors, input),
  );
  const sum = graph.add('Add', [graph.add('Add', vectors.slice(0, 2)), vectors[2]]);
  let x = graph.norm(sum, 'embeddings.LayerNorm', tensors, 1e-12);
  for (let n = 0; n < layers; n++) x = addBertLayer(graph, x, tensors, n, kind);
  graph.nodes.push(['Identity', [x], ['hidden']]);
  const inputs = Object.fromEntries(Object.keys(tables).map((name) => [name, [1, count]]));
  return onnxModel({ inputs, outputs: { hidden: [1, count, width] }, ...graph });
}

/** One attention of GPT-2 with cached keys and values: → [1, 1, width]. */
function addCachedAttention(graph, x, tensors, n, kind) {
  const [weight, bias] = ['weight', 'bias'].map((part) =>
    tensors.get(`h.${n}.attn.c_attn.${part}`),
  );
  if (kind === 'fused') {
    const names = [graph.constant(`qkv${n}.weight`, weight), graph.constant(`qkv${n}.bias`, bias)];
    const attributes = { ...headCount, unidirectional: { integer: 1 } };
    const inputs = [x, ...names, '', `past${n}`];
    const [mixed, present] = graph.add('com.microsoft/Attention', inputs, attributes, 2);
    graph.nodes.push(['Identity', [present], [`present${n}`]]);
    return mixed;
  }
  const [query, ...kept] = graph.thirds(graph.dense(x, `qkv${n}`, weight, bias));
  const [key, value] = kept.map((part, at) => {
    const index = graph.constant(`part${at}`, { ...shapeConstant(at), dims: [] });
    const past = graph.add('Gather', [`past${n}`, index], axis(0));
    return graph.add('Concat', [past, graph.apart(part)], axis(2));
  });
  const zero = graph.constant('zero', shapeConstant(0));
  const both = [key, value].map((part) => graph.add('Unsqueeze', [part, zero]));
  graph.nodes.push(['Concat', both, [`present${n}`], axis(0)]);
  const keys = graph.add('Transpose', [key], { perm: { integers: [0, 1, 3, 2] } });
  return graph.attend(graph.apart(query), keys, value);
}

/** ids and positions [1, 1] as float32, past0 … [2, 1, heads, n, dim] → logits [1, vocabulary], present0 … */
export function gpt2Graph(tensors, kind) {
  const graph = graphOf(kind);
  const words = graph.rowsOf('wte.weight', tensors, 'ids');
  let x = graph.add('Add', [words, graph.rowsOf('wpe.weight', tensors, 'positions')]);
  const inputs = { ids: [1, 1], positions: [1, 1] };
  const vocabulary = tensors.get('wte.weight').dims[0];
  const outputs = { logits: [1, vocabulary] };
  for (let n = 0; n < layers; n++) {
    const at = `h.${n}.`;
    const dense = (input, name) => {
      const [weight, bias] = ['weight', 'bias'].map((part) => tensors.get(`${at}${name}.${part}`));
      return graph.dense(input, `${at}${name}`, weight, bias);
    };
    const normedOnce = graph.norm(x, `${at}ln_1`, tensors, 1e-5);
    const mixed = addCachedAttention(graph, normedOnce, tensors, n, kind);
    x = graph.add('Add', [x, dense(mixed, 'attn.c_proj')]);
    const wide = dense(graph.norm(x, `${at}ln_2`, tensors, 1e-5), 'mlp.c_fc');
    x = graph.add('Add', [x, dense(graph.add('com.microsoft/FastGelu', [wide]), 'mlp.c_proj')]);
    inputs[`past${n}`] = [2, 1, heads, 'before', dim];
    outputs[`present${n}`] = [2, 1, heads, 'after', dim];
  }
  const row = graph.constant('row', shapeConstant(1, width));
  const last = graph.add('Reshape', [graph.norm(x, 'ln_f', tensors, 1e-5), row]);
  if (kind === 'q8') {
    const logits = graph.product(last, 'lm_head.weight', turned(tensors.get('wte.weight')));
    graph.nodes.push(['Identity', [logits], ['logits']]);
  } else {
    // The embedding matrix itself, not transposed, so that it is stored once.
    const turns = { transB: { integer: 1 } };
    graph.nodes.push(['Gemm', [last, 'wte.weight'], ['logits'], turns]);
  }
  return onnxModel({ inputs, outputs, ...graph });
}
