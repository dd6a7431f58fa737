// Bundlers that make a script of the page's, without a word of configuration beyond what goes in and out.
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

export default {
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
    manifest: { '@parcel/resolver-default': { packageExports: true } },
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
