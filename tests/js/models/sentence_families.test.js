// attention-wasm/models: vectors that modules.json describes, of folders of families with float64 results of their own: the
// steps of sentence-transformers in float64, over the hidden vectors of the fixture.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { explainDifference } from '../../support/js/compare.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const columns = (rows, of) => rows[0].map((_, c) => of(rows.map((row) => row[c])));
const rowsOf = ({ data, dims: [n, d] }) =>
  Array.from({ length: n }, (_, row) => Array.from(data.slice(row * d, (row + 1) * d)));

const poolers = {
  mean: (rows) => columns(rows, (numbers) => sum(numbers) / rows.length),
  cls: ([first]) => first,
  max: (rows) => columns(rows, (numbers) => Math.max(...numbers)),
  lasttoken: (rows) => rows.at(-1),
};

const denseRows = 3;
const weightAt = (out, c) => Math.fround(Math.sin(5 * out + c));
const biasAt = (out) => Math.fround(Math.cos(out));
const steps = {
  Dense: (x) =>
    Array.from({ length: denseRows }, (_, out) =>
      Math.tanh(sum(x.map((a, c) => a * weightAt(out, c))) + biasAt(out)),
    ),
  Normalize: (x) => x.map((a) => a / Math.sqrt(sum(x.map((b) => b * b)))),
};

function denseFiles(width) {
  const weight = Float32Array.from({ length: denseRows * width }, (_, at) =>
    weightAt(Math.floor(at / width), at % width),
  );
  const bias = Float32Array.from({ length: denseRows }, (_, out) => biasAt(out));
  return {
    'config.json': {
      ...{ in_features: width, out_features: denseRows, bias: true },
      activation_function: 'torch.nn.modules.activation.Tanh',
    },
    'model.safetensors': writeSafetensors({
      'linear.weight': { data: weight, dims: [denseRows, width] },
      'linear.bias': { data: bias, dims: [denseRows] },
    }),
  };
}

function fileOf(path, content) {
  const bytes = ArrayBuffer.isView(content) ? content : JSON.stringify(content);
  const file = new File([bytes], path.split('/').at(-1));
  return Object.defineProperty(file, 'webkitRelativePath', { value: `encoder/${path}` });
}

/** A folder of a case with Pooling of this mode and these modules after it. */
function folderOf({ config, ...found }, mode, modules) {
  const width = found.expected.hidden.dims[1];
  const names = ['Transformer', 'Pooling', ...modules];
  const paths = names.map((name, at) => (at === 0 ? '' : `${at}_${name}`));
  const files = {
    'config.json': config,
    'model.safetensors': writeSafetensors(seededWeights({ config, ...found })),
    'modules.json': names.map((name, at) => ({
      type: `sentence_transformers.models.${name}`,
      path: paths[at],
    })),
    '1_Pooling/config.json': { word_embedding_dimension: width, pooling_mode: mode },
  };
  const dense = names.indexOf('Dense');
  if (dense > 0) {
    for (const [name, content] of Object.entries(denseFiles(width))) {
      files[`${paths[dense]}/${name}`] = content;
    }
  }
  return Object.entries(files).map(([path, content]) => fileOf(path, content));
}

describe('the vector that modules.json describes', () => {
  for (const [name, mode, ...modules] of [
    ['modernbert', 'cls', 'Normalize'],
    ['modernbert', 'mean'],
    ['mpnet', 'mean', 'Normalize'],
    ['mpnet', 'mean', 'Dense', 'Normalize'],
    ['deberta-v2', 'mean', 'Dense'],
    ['camembert', 'max', 'Normalize'],
    ['roberta-prelayernorm', 'cls', 'Dense'],
    ['esm', 'mean'],
    ['gemma3_text', 'mean', 'Dense', 'Normalize'],
    ['gemma2', 'lasttoken'],
    ['opt, projected', 'lasttoken', 'Normalize'],
    ['bloom', 'lasttoken', 'Dense'],
  ]) {
    it(`is that of float64: ${[name, mode, ...modules].join(', ')}`, async () => {
      const found = cases[name];
      const model = await loadModel(folderOf(found, mode, modules), { pooling: true });
      const { pooled } = model.run(seededInput(found));
      model.delete();
      const start = poolers[mode](rowsOf(found.expected.hidden));
      const want = modules.reduce((x, step) => steps[step](x), start);
      const expected = { data: want, dims: [want.length] };
      // Rounding errors of float32 after up to four layers with norms.
      assert.equal(explainDifference(pooled, expected, 1e-5), '');
    });
  }
});
