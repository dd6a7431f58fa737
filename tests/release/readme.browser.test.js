// The README's HTML examples in a page.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { launch, listen, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';

const head = '<!doctype html><title>README</title><link rel="icon" href="data:,">';

describe('the README in browsers', { timeout: 120_000 }, () => {
  let folder;
  let server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-readme-'));
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```html\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    await writeFile(join(folder, 'index.html'), `${head}\n${blocks.join('\n')}`);
    await mkdir(join(folder, 'node_modules'));
    await symlink(root, join(folder, 'node_modules/attention-wasm'));
    server = await serve([folder]);
  });

  after(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const name of ['chromium', 'firefox']) {
    it(`draws its map in ${name}, silently`, async () => {
      const browser = await launch(name);
      try {
        const page = await browser.newPage();
        const said = listen(page);
        await page.goto(new URL('index.html', server.url).href);
        const isDrawn = () => {
          const element = document.querySelector('attention-map');
          const inside = element.shadowRoot ?? element;
          const canvas = inside.querySelector('canvas');
          if (!canvas?.width) return false;
          const context = canvas.getContext('2d');
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size > 8;
        };
        await page.waitForFunction(isDrawn, { timeout: 120_000 });
        assert.deepEqual(said, []);
      } finally {
        await browser.close();
      }
    });
  }
});
