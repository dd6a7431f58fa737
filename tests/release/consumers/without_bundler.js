// Pages without a bundler: an import map, copied files, and a strict policy.
import { cp } from 'node:fs/promises';
import { html, script, visitFolder } from './page.js';

const map = (folder) => {
  const imports = { 'attention-wasm': 'index', 'attention-wasm/pool': 'pool' };
  const entries = Object.entries(imports).map(([name, file]) => [name, `${folder}${file}.js`]);
  return `<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(entries) })}</script>`;
};

const built = './node_modules/attention-wasm/web/built/';
const tag = '<script type="module" src="page.js"></script>';

// Copied files are imported by path.
const copied = `
  import { known } from './known.js';
  globalThis.outcome = known().then((digest) => [digest]);
`;

export default {
  'import-map': {
    files: { 'index.html': html(map(built) + tag), 'page.js': script },
    run: (project) => visitFolder(project.folder),
  },
  'copied-files': {
    files: { 'index.html': html(tag), 'page.js': copied },
    run: async (project) => {
      await cp(project.at(built, 'index.js'), project.at('attention.js'));
      const { readFile } = await import('node:fs/promises');
      const known = await readFile(project.at('known.js'), 'utf8');
      await project.write({
        'known.js': known.replace("'attention-wasm'", "'./attention.js'"),
      });
      const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";
      return visitFolder(project.folder, '', { headers: { 'Content-Security-Policy': policy } });
    },
    note: "same numbers, also under `script-src 'self' 'wasm-unsafe-eval'`",
  },
};
