// Results of BERT-base and GPT-2 small in float64 with the int8 weights that attention-wasm/models makes of float32:
// t = max |w| / 127 per output, w = round(x · (127 / max |w|)), ties to even, in float32. Activations are not rounded.
import { expectedRows } from './expected_rows.js';
import { norm } from './layer_stack.js';

const shape = { layers: 12, heads: 12, dim: 64, modelDim: 768, hiddenDim: 3072 };
const { fround } = Math;

function nearestEven(x) {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
}

/** w · t of the numbers at `first`, `first + step` …, an output's, in place. */
function round(numbers, first, step, count) {
  const end = first + step * count;
  let largest = 0;
  for (let at = first; at < end; at += step) largest = Math.max(largest, Math.abs(numbers[at]));
  const [scale, factor] = [fround(largest / 127), fround(127 / largest)];
  for (let at = first; at < end; at += step) {
    numbers[at] = nearestEven(fround(numbers[at] * factor)) * scale;
  }
}

/** A matrix stored out × in, as it is. */
function roundedRows({ data, dims: [rows, width] }) {
  const numbers = Float64Array.from(data);
  for (let row = 0; row < rows; row++) round(numbers, row * width, 1, width);
  return numbers;
}

/** A matrix stored in × out, as it is. */
function roundedColumns({ data, dims: [rows, columns] }) {
  const numbers = Float64Array.from(data);
  for (let column = 0; column < columns; column++) round(numbers, column, columns, rows);
  return numbers;
}

/** Some columns of a matrix with `columns`. */
function columnsOf(numbers, columns, first, count) {
  const rows = numbers.length / columns;
  const found = new Float64Array(rows * count);
  for (let row = 0; row < rows; row++) {
    const from = row * columns + first;
    found.set(numbers.subarray(from, from + count), row * count);
  }
  return found;
}

function transposed(numbers, width) {
  const rows = numbers.length / width;
  return Float64Array.from(
    numbers,
    (_, at) => numbers[(at % rows) * width + Math.floor(at / rows)],
  );
}

/** Sums of rows of tables, [table, index of token n] each. */
function sumOfRows(count, tables) {
  const { modelDim: width } = shape;
  return Float64Array.from({ length: count * width }, (_, at) => {
    const n = Math.floor(at / width);
    return tables.reduce((sum, [table, rowOf]) => sum + table[rowOf(n) * width + (at % width)], 0);
  });
}

/** One after another: all as float64 would be 680 MB. */
const layersFrom = (make) => ({
  *[Symbol.iterator]() {
    for (let n = 0; n < shape.layers; n++) yield make(n);
  },
});

function through(kind, epsilon, x, layers) {
  const qLen = x.length / shape.modelDim;
  const rows = expectedRows({ ...shape, kind, epsilon, qLen }, { x, layers });
  return Float64Array.from(rows.flatMap(({ output }) => [...output]));
}

/** The last hidden states of BERT-base, tokens × 768. */
export function bertHidden(tensors, ids) {
  const get = (name) => tensors.get(name).data;
  const epsilon = 1e-12;
  const sum = sumOfRows(ids.length, [
    [roundedRows(tensors.get('embeddings.word_embeddings.weight')), (n) => ids[n]],
    [get('embeddings.position_embeddings.weight'), (n) => n],
    [get('embeddings.token_type_embeddings.weight'), () => 0],
  ]);
  const embeddingNorm = ['weight', 'bias'].map((part) => get(`embeddings.LayerNorm.${part}`));
  const layers = layersFrom((n) => {
    const layer = {};
    for (const [own, name] of Object.entries({
      query: 'attention.self.query',
      key: 'attention.self.key',
      value: 'attention.self.value',
      output: 'attention.output.dense',
      widen: 'intermediate.dense',
      narrow: 'output.dense',
    })) {
      const weight = tensors.get(`encoder.layer.${n}.${name}.weight`);
      layer[own] = transposed(roundedRows(weight), weight.dims[1]);
      layer[`${own}Bias`] = get(`encoder.layer.${n}.${name}.bias`);
    }
    for (const [own, name] of [
      ['selfNorm', 'attention.output.LayerNorm'],
      ['feedForwardNorm', 'output.LayerNorm'],
    ]) {
      layer[own] = get(`encoder.layer.${n}.${name}.weight`);
      layer[`${own}Bias`] = get(`encoder.layer.${n}.${name}.bias`);
    }
    return layer;
  });
  return through('encoder', epsilon, norm(sum, ...embeddingNorm, epsilon), layers);
}

/** The logits of GPT-2 small after the last token. */
export function gpt2Logits(tensors, ids) {
  const get = (name) => tensors.get(name).data;
  const { modelDim } = shape;
  const table = roundedRows(tensors.get('wte.weight'));
  const x = sumOfRows(ids.length, [
    [table, (n) => ids[n]],
    [get('wpe.weight'), (n) => n],
  ]);
  const layers = layersFrom((n) => {
    const at = `h.${n}.`;
    const matrix = (name) => roundedColumns(tensors.get(`${at}${name}.weight`));
    const together = matrix('attn.c_attn');
    const bias = get(`${at}attn.c_attn.bias`);
    const layer = {};
    ['query', 'key', 'value'].forEach((name, part) => {
      layer[name] = columnsOf(together, 3 * modelDim, part * modelDim, modelDim);
      layer[`${name}Bias`] = bias.subarray(part * modelDim, (part + 1) * modelDim);
    });
    for (const [own, name] of [
      ['output', 'attn.c_proj'],
      ['widen', 'mlp.c_fc'],
      ['narrow', 'mlp.c_proj'],
    ]) {
      layer[own] = matrix(name);
      layer[`${own}Bias`] = get(`${at}${name}.bias`);
    }
    for (const [own, name] of [
      ['selfNorm', 'ln_1'],
      ['feedForwardNorm', 'ln_2'],
    ]) {
      layer[own] = get(`${at}${name}.weight`);
      layer[`${own}Bias`] = get(`${at}${name}.bias`);
    }
    return layer;
  });
  const rows = through('decoder', 1e-5, x, layers);
  const last = norm(rows.subarray(-modelDim), get('ln_f.weight'), get('ln_f.bias'), 1e-5);
  return Float64Array.from({ length: table.length / modelDim }, (_, word) => {
    let sum = 0;
    for (let c = 0; c < modelDim; c++) sum += last[c] * table[word * modelDim + c];
    return sum;
  });
}
