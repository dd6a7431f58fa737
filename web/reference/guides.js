// The guides of the reference: Markdown files of the package whose examples run. A line that is a link to a file of
// guides/examples stands for that file.

import { readFileSync, readdirSync } from 'node:fs';
import { basename, extname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entries, root } from './entries.js';

const folder = new URL('guides/', import.meta.url);

/** Guides of the folder in the order in which the overview lists them. */
const order = [
  'heat_map',
  'frameworks',
  'my_model',
  'notebook',
  'growing_text',
  'test_a_head',
  'translate',
  'train',
  'attention',
  'layers',
  'speed',
  'security',
  'cpp',
  'runtimes',
];

/** Page → address of its file. */
const files = new Map([
  ...order.map(
    (name) => /** @type {[string, URL]} */ ([`${name}.html`, new URL(`${name}.md`, folder)]),
  ),
  ['own_models.html', new URL('../lib/models/README.md', import.meta.url)],
]);

/** The anchor of a heading, as GitHub has it. */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Addresses of links in a file of the package: those of guides and of entries; undefined for other files. */
function addresses(file) {
  const pages = new Map([...files].map(([page, { pathname }]) => [pathname, page]));
  for (const entry of entries) pages.set(entry.file, entry.page);
  return (href) => {
    if (href.startsWith('#')) return href;
    const { pathname, hash } = new URL(href, file);
    const page = pages.get(pathname);
    return page && page + hash;
  };
}

/** Lines that are links to examples, as code blocks with the name of the file. */
const withExamples = (text, file) =>
  text.replaceAll(/^\[`[^`]+`\]\((examples\/[^)]+)\)$/gm, (_, path) => {
    const code = readFileSync(new URL(path, file), 'utf8').trimEnd();
    const language = extname(path).slice(1).replace('cjs', 'js');
    return `\`\`\`${language} ${path.replace('examples/', '')}\n${code}\n\`\`\``;
  });

/**
 * @returns {{ page: string, file: string, title: string, text: string, document: object }[]} `file` is its path in the package,
 *   `text` its Markdown, `document` an argument of renderMarkdown()
 */
export function readGuides() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const unknown = names.filter((name) => !order.includes(basename(name, '.md')));
  if (unknown.length > 0) throw new Error(`guides.js has no place for ${unknown}`);
  return [...files].map(([page, file]) => {
    const [heading, text] = readFileSync(file, 'utf8').split(/\n\n([^]*)/);
    return {
      page,
      file: relative(root, fileURLToPath(file)),
      title: heading.slice(2).replaceAll('`', ''),
      text: withExamples(text, file),
      document: { anchorOf, addressOf: addresses(file) },
    };
  });
}
