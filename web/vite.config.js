// How Vite serves and builds the page: relative addresses, so that it can lie at any path; nothing
// inlined, so that a strict policy holds; a list of its files for the service worker.

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { defineConfig } from 'vite';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);

/** service_worker.js, with the names of all files of the page written into it. */
const offline = {
  name: 'offline',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const names = Object.keys(bundle).filter((name) => !name.endsWith('.map'));
      const source = readFileSync(at('web/demo/page/offline/service_worker.js'), 'utf8');
      const files = JSON.stringify(['./', ...names.map((name) => `./${name}`)]);
      this.emitFile({
        type: 'asset',
        fileName: 'service_worker.js',
        source: `const files = ${files};\n${source}`,
      });
    },
  },
};

/** The picture that the page begins with, made by its own worker's code, with the model and the library as built. */
const readyPicture = {
  name: 'ready-picture',
  resolveId: (id) => (id === 'virtual:ready-picture' ? `\0${id}` : null),
  async load(id) {
    if (id !== '\0virtual:ready-picture') return null;
    const { makeReadyPicture } = await import('./demo/worker/make_ready_picture.js');
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(await makeReadyPicture()))});`;
  },
};

/** The script of the stand-alone page as text: the heat map and what goes around it, in one piece. */
const standAloneScript = {
  name: 'stand-alone-script',
  resolveId: (id) => (id === 'virtual:stand-alone-script' ? `\0${id}` : null),
  async load(id) {
    if (id !== '\0virtual:stand-alone-script') return null;
    const { outputFiles } = await esbuild.build({
      entryPoints: [at('web/demo/page/exports/stand_alone/script.js')],
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      charset: 'utf8',
      write: false,
    });
    return `export default ${JSON.stringify(outputFiles[0].text)};`;
  },
};

/**
 * The style before the script. A script of type "module" waits for the styles that stand before it: the other
 * way round WebKit runs it at once, and the page reads its colours from a style that is not there.
 */
const styleFirst = {
  name: 'style-first',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [style] = /\s*<link rel="stylesheet"[^>]*>/.exec(html);
      return html
        .replace(style, '')
        .replace(/\s*<script type="module"/, (script) => style + script);
    },
  },
};

/**
 * d3-scale-chromatic as plain data: its lists of colours. Whole, it would bring its functions and what
 * they are made of, 30 kB, for ten colours.
 */
const colorLists = {
  name: 'color-lists',
  resolveId: {
    order: 'pre',
    handler: (id) => (id === 'd3-scale-chromatic' ? '\0color-lists' : null),
  },
  async load(id) {
    if (id !== '\0color-lists') return null;
    const lists = Object.entries(await import('d3-scale-chromatic')).filter(
      ([, list]) => Array.isArray(list) && list.every((color) => typeof color === 'string'),
    );
    return lists
      .map(([name, list]) => `export const ${name} = ${JSON.stringify(list)};\n`)
      .join('');
  },
};

// In the mode 'embed' it is the compact page: built by itself, so that neither waits for the other's parts.
export default defineConfig(({ mode }) => ({
  root: at('web/demo'),
  base: './',
  publicDir: false,
  logLevel: 'warn',
  plugins: [
    colorLists,
    readyPicture,
    standAloneScript,
    styleFirst,
    ...(mode === 'embed' ? [] : [offline]),
  ],
  worker: { format: 'es' },
  build: {
    outDir: at('.build/page'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: true,
    rollupOptions: { input: at('web/demo', mode === 'embed' ? 'embed.html' : 'index.html') },
  },
}));
