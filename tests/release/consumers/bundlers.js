// Bundlers without configuration beyond input and output files.
import { readFile, stat } from 'node:fs/promises';
import { manifestWith } from './beginning.js';
import { known } from './known.js';
import { html, script, visitFolder } from './page.js';

const page = html('<script type="module" src="page.js"></script>');

const files = { 'source.js': script, 'dist/index.html': page };

const webpack = `export default {
  mode: 'production',
  entry: './source.js',
  output: { path: new URL('dist', import.meta.url).pathname, filename: 'page.js' },
};`;

const bundler = (packages, [command, ...args], more = {}) => ({
  packages,
  files: { ...files, ...more },
  run: async (project) => {
    await project.run(project.bin(command), args);
    return visitFolder(project.at('dist'));
  },
});

const esbuild = (format) =>
  bundler(
    ['esbuild'],
    [
      'esbuild',
      'source.js',
      '--bundle',
      '--minify',
      `--format=${format}`,
      '--outfile=dist/page.js',
    ],
  );

// Tree shaking: one small function of a large entry point. rollup minifies nothing.
const merging = `
  import { mergeWords } from 'attention-wasm/translator';
  const token = { word: 0 };
  globalThis.merged = mergeWords({ data: Float32Array.of(0.5, 0.5), dims: [1, 2] }, [token], [token, token]);
`;
const smallBytes = 12_000;

export default {
  'merge-words': {
    packages: ['esbuild', 'rollup', '@rollup/plugin-node-resolve', 'webpack@5', 'webpack-cli'],
    files: { 'source.js': merging, 'webpack.config.mjs': webpack },
    note: `less than ${smallBytes / 1000} kB of \`mergeWords\` alone, by each of them`,
    run: async (project) => {
      const page = 'dist/page.js';
      const builds = {
        esbuild: ['source.js', '--bundle', '--minify', '--format=esm', `--outfile=${page}`],
        rollup: ['-i', 'source.js', '-p', '@rollup/plugin-node-resolve', '-o', page],
        webpack: [],
      };
      const outcome = [];
      for (const [name, args] of Object.entries(builds)) {
        await project.run(project.bin(name), args);
        const { size } = await stat(project.at(page));
        const isSmall =
          size < smallBytes && !/WebAssembly/.test(await readFile(project.at(page), 'utf8'));
        outcome.push(isSmall ? 'same' : `${name}: ${size} bytes`);
      }
      return [await known(), ...outcome];
    },
  },
  webpack: bundler(['webpack@5', 'webpack-cli'], ['webpack'], { 'webpack.config.mjs': webpack }),
  rspack: bundler(['@rspack/core', '@rspack/cli'], ['rspack', 'build'], {
    'rspack.config.mjs': webpack,
  }),
  'esbuild-esm': esbuild('esm'),
  'esbuild-iife': esbuild('iife'),
  rollup: bundler(
    ['rollup', '@rollup/plugin-node-resolve'],
    ['rollup', '-i', 'page=source.js', '-p', '@rollup/plugin-node-resolve', '-d', 'dist'],
  ),
  parcel: {
    packages: ['parcel'],
    manifest: manifestWith('@parcel/resolver-default'),
    files: {
      'index.html': html('<script type="module" src="page.js"></script>'),
      'page.js': script,
    },
    note: 'same numbers, with `packageExports` of its resolver switched on',
    run: async (project) => {
      await project.run(project.bin('parcel'), ['build', 'index.html', '--no-cache']);
      return visitFolder(project.at('dist'));
    },
  },
};
