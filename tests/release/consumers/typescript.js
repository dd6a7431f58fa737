// TypeScript: every entry point under every module resolution that knows `exports`, strict, with and without lib.dom;
// and the tensors of onnxruntime and transformers.js, in types and at run time.
import { readFileSync } from 'node:fs';
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
  // @ts-expect-error unknown option
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

// Their tensors as arguments, our results in their constructors.
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

// <attention-map> in JSX: declared as the guide says, under strict and without skipLibCheck.
const guide = new URL('../../../web/reference/guides/frameworks.md', import.meta.url);
const [, inReact] = /^```tsx\n([^]*?)^```$/m.exec(readFileSync(guide, 'utf8'));
const jsxPrograms = {
  react: inReact,
  preact: inReact.replaceAll("'react'", "'preact'"),
  'solid-js': inReact
    .replaceAll("'react'", "'solid-js'")
    .replace('ClassAttributes, HTMLAttributes', 'JSX')
    .replaceAll('AttentionMapProps', 'AttentionMapSolidProps')
    .replace('<HTMLAttributes', '<JSX.HTMLAttributes')
    .replace(/ &\s+ClassAttributes<AttentionMapElement>/, ''),
};
const listening = {
  'solid-js':
    'on:select={(event) => console.log(event.detail.value)} on:hover={({ detail }) => console.log(detail?.row)}',
  usual:
    'onselect={(event: CustomEvent<CellFacts>) => console.log(event.detail.value)} onhover={({ detail }) => console.log(detail?.row)}',
};
const elements = (from) => `
  import type { CellFacts } from 'attention-wasm/heatmap';
  const weights = [[0.9, 0.1], [0.2, 0.8]];
  export const written = <attention-map weights="[[0.9, 0.1]]" row-labels="tea" domain="row" id="one" />;
  export const given = (
    <attention-map weights={weights} rowLabels={['made', 'tea']} colors="viridis" threshold={0.1} fill />
  );
  export const heard = (
    <attention-map weights={weights} ref={(map) => { map?.fit(); }} ${listening[from] ?? listening.usual} />
  );
  export const styled = (
    <attention-map weights={weights} id="one" ${from === 'react' ? 'className' : 'class'}="map" style={{ height: '100%' }} />
  );
  ${from === 'solid-js' ? 'export const set = <attention-map prop:weights={weights} />;' : ''}
  // @ts-expect-error a label is a text
  export const wrong = <attention-map weights={weights} rowLabels={[1, 2]} />;
`;
const jsx = (from, packages) => ({
  packages: [...packages, 'typescript@5'],
  shown: [from],
  files: {
    'program.tsx': jsxPrograms[from] + elements(from),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...resolutions.bundler,
        lib: ['es2022', 'dom'],
        target: 'es2022',
        strict: true,
        noEmit: true,
        types: [],
        jsx: from === 'solid-js' ? 'preserve' : 'react-jsx',
        jsxImportSource: from,
      },
      files: ['program.tsx'],
    }),
  },
  note: '`<attention-map>` in JSX compiles under strict',
  run: async (project) => {
    await project.run(project.bin('tsc'), ['-p', 'tsconfig.json']);
    return known();
  },
});

export default {
  'typescript-5.2': typescript('5.2'),
  'typescript-5': typescript('5'),
  'typescript-6': typescript('6'),
  'jsx-react': jsx('react', ['react', '@types/react']),
  'jsx-preact': jsx('preact', ['preact']),
  'jsx-solid': jsx('solid-js', ['solid-js']),
  'tensors-onnxruntime': tensorsOf('onnxruntime-common'),
  // One of its packages would download GPU libraries.
  'tensors-transformers': tensorsOf('@huggingface/transformers', ['--ignore-scripts']),
};
