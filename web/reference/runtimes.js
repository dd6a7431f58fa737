// The page on runtimes: the README's text, and a getting-started file for each runtime, which tests run.

import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { renderCode } from './highlight.js';
import { renderMarkdown } from './markdown.js';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

const places = [
  {
    title: 'Node.js, Deno, Bun',
    told: '`npm install attention-wasm`, then `node program.js`, `deno run program.js`, `bun program.js`. `attention-wasm/pool`, `/translator` and `/models` have files of their own for Node.js, found by themselves.',
    files: ['program.js'],
  },
  { title: 'CommonJS', told: 'Node.js 20.19, 22.12 and later.', files: ['program.cjs'] },
  {
    title: 'Bundlers',
    told: 'The same program. Nothing is configured for `attention-wasm`; what the table above says of the pool and the translator is written so:',
    files: ['given_files.js'],
  },
  {
    title: 'A page without a bundler',
    told: "One copied file. The policy (CSP) of the page needs `script-src 'self' 'wasm-unsafe-eval'`.",
    files: ['page.html', 'page.js'],
  },
  {
    title: 'A page with an import map',
    told: 'For pages that have `node_modules` beside them, or a server’s copy of it.',
    files: ['import_map.html'],
  },
  {
    title: 'A worker',
    told: 'A long computation does not stop the page.',
    files: ['worker.js', 'page_with_worker.js'],
  },
  {
    title: 'Cloudflare Workers',
    told: '`attention-wasm/core` is the same library without the module inside.',
    files: ['cloudflare_worker.js'],
  },
];

/** The README's text without its links, whose targets are not in the reference. */
function whereItRuns() {
  const [, section] = /^## Where it runs\n([^]*?)^## /m.exec(read('../../README.md')) ?? [];
  return section.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1');
}

const anchorOf = (title) => title.toLowerCase().replaceAll(/[^a-z]+/g, '-');

/** { body, contents }: HTML. */
export function renderRuntimes(link) {
  const told = places.map(({ title, told: text, files }) => {
    const blocks = files.map(
      (file) =>
        `<figure><figcaption><code>${file}</code></figcaption>` +
        `<pre class="figure"><code>${renderCode(read(`runtimes/${file}`).trimEnd(), extname(file).slice(1))}</code></pre></figure>\n`,
    );
    const anchor = anchorOf(title);
    return (
      `<section class="item"><h2 id="${anchor}"><a href="#${anchor}">${title}</a></h2>\n` +
      `${renderMarkdown(text, link)}${blocks.join('')}</section>\n`
    );
  });
  const contents = places.map(({ title }) => `<li><a href="#${anchorOf(title)}">${title}</a></li>`);
  return {
    body: renderMarkdown(whereItRuns(), link) + told.join(''),
    contents: `<h2>Places</h2>\n<ul>${contents.join('')}</ul>\n`,
  };
}
