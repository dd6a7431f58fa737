// TypeScript: every entry under every resolution that knows exports, strictly, with and without the library of pages;
// and the tensors of onnxruntime and transformers.js, as types and as they are.
import { known } from './known.js';

const program = `
  import { loadAttention, tensor, toNested, type OwnedTensor } from 'attention-wasm';
  import { loadAttention as loadCore } from 'attention-wasm/core';
  import { heatmapSVG } from 'attention-wasm/heatmap';
  import { loadModel } from 'attention-wasm/models';
  import { loadAttentionPool } from 'attention-wasm/pool';
  import { parseSafetensors } from 'attention-wasm/safetensors';
  import { words } from 'attention-wasm/text';
  import { loadTranslator } from 'attention-wasm/translator';
  const { attention } = await loadAttention();
  const x = tensor([[1, 0], [0, 1]]);
  const weights: OwnedTensor = attention(x, x, x, { weights: true }).weights;
  const rows: number[][] = toNested(weights);
  // @ts-expect-error there is no such option
  attention(x, x, x, { head: 1 });
  export const all = [
    rows, loadCore, heatmapSVG, loadModel, loadAttentionPool, parseSafetensors, words, loadTranslator,
  ];
`;

const resolutions = {
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
};
const libraries = { page: ['es2022', 'dom'], language: ['es2022'] };

const configs = Object.entries(resolutions).flatMap(([name, resolution]) =>
  Object.entries(libraries).map(([where, lib]) => [
    `tsconfig.${name}.${where}.json`,
    JSON.stringify({
      compilerOptions: {
        ...resolution,
        lib,
        target: 'es2022',
        strict: true,
        noEmit: true,
        types: [],
      },
      files: ['program.ts'],
    }),
  ]),
);

const typescript = (version) => ({
  packages: [`typescript@${version}`],
  files: { 'program.ts': program, ...Object.fromEntries(configs) },
  note: `compiles under ${Object.keys(resolutions).join(', ')}, with and without lib.dom`,
  run: async (project) => {
    for (const [path] of configs) await project.run(project.bin('tsc'), ['-p', path]);
    return known();
  },
});

// Their classes, their tensors in, results into their constructors.
const tensors = `
  import { loadAttention, toNested } from 'attention-wasm';
  import { known, knownTensor, options, digestOf } from './known.js';
  import { Tensor } from 'PACKAGE';
  const { attention } = await loadAttention();
  const { data, dims } = knownTensor();
  const x = new Tensor('float32', data, dims);
  const { output, weights } = attention(x, x, x, options);
  const theirs = new Tensor('float32', weights.data, weights.dims);
  const back = JSON.stringify(toNested(theirs)) === JSON.stringify(toNested(weights));
  const lengths = new Tensor('int64', BigInt64Array.of(1n, 1n), [1, 2]);
  const y = new Tensor('float32', Float32Array.of(1, 0, 0, 1), [2, 2]);
  const masked = attention(y, y, y, { mask: lengths }).output.data.length;
  console.log([digestOf(output.data, theirs.data), back && masked === 4 ? 'same' : 'other numbers'].join());
`;
const types = `
  import { loadAttention, toNested } from 'attention-wasm';
  import { Tensor } from 'PACKAGE';
  const { attention } = await loadAttention();
  const x = new Tensor('float32', new Float32Array(4), [2, 2]);
  const { output } = attention(x, x, x);
  export const theirs = new Tensor('float32', output.data, output.dims);
  export const rows: number[][] = toNested(theirs);
`;

const tensorsOf = (name, flags = []) => ({
  packages: [name, 'typescript@5', '@types/node@20'],
  shown: [name],
  flags,
  files: {
    'program.js': tensors.replace('PACKAGE', name),
    'program.ts': types.replace('PACKAGE', name),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...resolutions.nodenext,
        lib: ['es2022', 'dom'],
        target: 'es2022',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
      },
      files: ['program.ts'],
    }),
  },
  note: 'same numbers from its tensors and back into its constructor; compiles',
  run: async (project) => {
    const printed = await project.run(process.execPath, ['program.js']);
    await project.run(project.bin('tsc'), ['-p', 'tsconfig.json']);
    return printed.trim().split(',');
  },
});

export default {
  'typescript-5.2': typescript('5.2'),
  'typescript-5': typescript('5'),
  'typescript-6': typescript('6'),
  'tensors-onnxruntime': tensorsOf('onnxruntime-common'),
  // One of its packages downloads what a graphics card wants.
  'tensors-transformers': tensorsOf('@huggingface/transformers', ['--ignore-scripts']),
};
