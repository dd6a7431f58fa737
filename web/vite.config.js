// Vite's configuration for the page: relative addresses, so that it works at any path; nothing
// inlined, so that a strict policy (CSP) allows it; a list of its files for the service worker.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { defineConfig } from 'vite';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);

const smallScript = /** @type {const} */ ({
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  write: false,
});

/** service_worker.js with the names of all files of the page. */
const offline = {
  name: 'offline',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const names = Object.keys(bundle).filter((name) => !/\.map$|^preview\./.test(name));
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

/** The page's initial picture, computed by the worker's code with the built library and the model. */
const readyPicture = {
  name: 'ready-picture',
  resolveId: (id) => (id === 'virtual:ready-picture' ? `\0${id}` : null),
  async load(id) {
    if (id !== '\0virtual:ready-picture') return null;
    const { prerenderPicture } = await import('./prerender.js');
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(await prerenderPicture()))});`;
  },
};

/** What the page shows of the sources of vectors: their code is the worker's. */
const sourceList = {
  name: 'source-list',
  resolveId: (id) => (id === 'virtual:source-list' ? `\0${id}` : null),
  async load(id) {
    if (id !== '\0virtual:source-list') return null;
    const { listSources } = await import('./prerender.js');
    return `export default ${JSON.stringify(listSources())};`;
  },
};

/** Whether the library has fused.wasm; without a compiler for it, it is built without. */
const fusedKernels = {
  name: 'fused-kernels',
  resolveId: (id) => (id === 'virtual:fused-kernels' ? `\0${id}` : null),
  load: (id) =>
    id === '\0virtual:fused-kernels'
      ? `export const hasFused = ${existsSync(at('web/built/fused.wasm'))};`
      : null,
};

/** embed.html with its body, without a picture. */
const embedBody = {
  name: 'embed-body',
  transformIndexHtml: {
    order: 'pre',
    async handler(html, { filename }) {
      if (!filename.endsWith('embed.html')) return html;
      const { prerenderEmbed } = await import('./prerender.js');
      return prerenderEmbed(html);
    },
  },
};

/** Open Graph tags for link previews: title, description and picture. */
const preview = {
  name: 'preview',
  apply: 'build',
  async generateBundle() {
    const { makePreview } = await import('./prerender.js');
    this.emitFile({ type: 'asset', fileName: 'preview.png', source: await makePreview() });
  },
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(
        '</title>',
        '</title>\n    <meta property="og:image" content="./preview.png" />',
      ),
  },
};

/** index.html with the page's body as it opens, and start.js, which loads the page's script. */
const startWithBody = {
  name: 'start-with-body',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html) {
      const { prerenderBody } = await import('./prerender.js');
      const { outputFiles } = await esbuild.build({
        entryPoints: [at('web/demo/page/start.js')],
        ...smallScript,
      });
      const source = outputFiles[0].text;
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
      const fileName = `assets/start-${hash}.js`;
      this.emitFile({ type: 'asset', fileName, source });
      // The page's script and the files that it imports.
      const files = [];
      const loaded = html.replaceAll(
        /\s*<(?:script type="module"[^>]*src|link rel="modulepreload"[^>]*href)="\.\/assets\/([^"]*)"[^>]*>(?:<\/script>)?/g,
        (_, file) => (files.push(`./${file}`), ''),
      );
      const start = `<script defer blocking="render" src="./${fileName}" data-modules="${files.join(' ')}"></script>`;
      return prerenderBody(loaded.replace('</head>', `  ${start}\n  </head>`));
    },
  },
};

/** Measured roles of the model's heads, for the worker. */
const referenceShares = {
  name: 'reference-shares',
  resolveId: (id) => (id === 'virtual:reference-shares' ? `\0${id}` : null),
  async load(id) {
    if (id !== '\0virtual:reference-shares') return null;
    const { measureReferenceShares } = await import('./prerender.js');
    return `export default ${JSON.stringify(await measureReferenceShares())};`;
  },
};

/** The scripts of the stand-alone pages, each as one string: heat map and controls. */
const standAloneScripts = {
  name: 'stand-alone-scripts',
  resolveId: (id) =>
    /^virtual:(stand-alone|viewer)-script$/.test(id) ? id.replace('virtual:', '\0') : null,
  async load(id) {
    const name = { '\0stand-alone-script': 'script', '\0viewer-script': 'viewer_script' }[id];
    if (!name) return null;
    const { outputFiles } = await esbuild.build({
      entryPoints: [at(`web/demo/page/exports/stand_alone/${name}.js`)],
      ...smallScript,
    });
    return `export default ${JSON.stringify(outputFiles[0].text)};`;
  },
};

/**
 * Puts styles before scripts. A module script waits for the style sheets before it; in the other order
 * WebKit runs it at once, before the colors that it reads from the styles exist.
 */
const styleFirst = {
  name: 'style-first',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [style] = /\s*<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
      if (style === undefined) throw new Error('index.html has no style sheet');
      return html
        .replace(style, '')
        .replace(/\s*<script type="module"/, (script) => style + script);
    },
  },
};

/** No reports about slow plugins: on a busy machine they hide the warnings. */
const checks = { bundlerTimings: false };

// Mode 'embed' builds the compact page separately, so that neither page loads code of the other.
export default defineConfig(({ command, mode }) => ({
  root: at('web/demo'),
  base: './',
  publicDir: false,
  logLevel: command === 'serve' ? 'info' : 'warn', // info: the address of the server
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [
    readyPicture,
    sourceList,
    fusedKernels,
    standAloneScripts,
    embedBody,
    styleFirst,
    ...(mode === 'embed' ? [] : [preview, startWithBody, offline]),
  ],
  worker: { format: 'es', plugins: () => [referenceShares], rollupOptions: { checks } },
  build: {
    outDir: at('.build/page'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: true,
    rollupOptions: {
      checks,
      input: at('web/demo', mode === 'embed' ? 'embed.html' : 'index.html'),
    },
  },
}));
