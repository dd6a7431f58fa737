// The README's HTML examples in a page.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { launch, listen, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';

// An import map in place of a bundler, and the call that the README mentions beside the element.
const head = `<!doctype html><title>README</title><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "attention-wasm/heatmap": "/web/built/heatmap.js" } }</script>
<script type="module">
  import { defineAttentionMap } from 'attention-wasm/heatmap';
  defineAttentionMap();
</script>`;

describe('the README in browsers', { timeout: 120_000 }, () => {
  let folder;
  let server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-readme-'));
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```html\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    await writeFile(join(folder, 'index.html'), `${head}\n${blocks.join('\n')}`);
    server = await serve([folder, root]);
  });

  after(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const name of ['chromium', 'firefox']) {
    it(`draws its maps in ${name}, silently`, async () => {
      const browser = await launch(name);
      try {
        const page = await browser.newPage();
        const said = listen(page);
        await page.goto(new URL('index.html', server.url).href);
        const isDrawn = () => {
          const element = document.querySelector('attention-map');
          const inside = element.shadowRoot ?? element;
          const canvases = [document.querySelector('canvas'), inside.querySelector('canvas')];
          return canvases.every((canvas) => {
            if (!canvas?.width) return false;
            const context = canvas.getContext('2d');
            const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size > 8;
          });
        };
        await page.waitForFunction(isDrawn, { timeout: 120_000 });
        assert.deepEqual(said, []);
      } finally {
        await browser.close();
      }
    });
  }
});
