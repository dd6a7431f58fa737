// The guides of the reference: Markdown files whose examples run.

import { readFileSync, readdirSync } from 'node:fs';

/** @returns {{ page: string, title: string, text: string }[]} in the order of their file names; `text` is Markdown */
export function readGuides() {
  const folder = new URL('guides/', import.meta.url);
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const [heading, text] = readFileSync(new URL(name, folder), 'utf8').split(/\n\n([^]*)/);
      return {
        page: name.replace(/^\d_(.*)\.md$/, '$1.html'),
        title: heading.slice(2),
        text,
      };
    });
}
