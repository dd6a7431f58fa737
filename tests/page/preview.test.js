// Preview of a link in other services: title, sentence, and a PNG picture of the initial picture's cells.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PNG } from 'pngjs';
import { previewPNG } from '../../web/preview_picture.js';
import { root } from '../support/js/package.js';

/** Decodes a PNG: { width, height, at(x, y) → [r, g, b] }. */
function decode(file) {
  const { width, height, data } = PNG.sync.read(file);
  const at = (x, y) => [...data.subarray(4 * (y * width + x)).subarray(0, 3)];
  return { width, height, at };
}

describe('the preview of a link', () => {
  it('has each weight as a cell, darker for more, and the selected pair in two frames', () => {
    const labels = ['a', 'b'].map((text, word) => ({ text, word, special: false }));
    const picture = {
      ...{ rows: labels, columns: labels, rowTokens: [[0], [1]], columnTokens: [[0], [1]] },
      ...{ heads: 1, stages: { weights: Float32Array.of(0, 1, 0.5, 0.1) } },
    };
    const { width, height, at } = decode(previewPNG(picture, { row: 0, column: 1, head: 0 }));
    assert.deepEqual([width, height], [1200, 630]);
    const light = ([r, g, b]) => r + g + b;
    const [none, all, half, little] = [
      [330, 187],
      [870, 187],
      [330, 443],
      [870, 443],
    ].map(([x, y]) => light(at(x, y)));
    assert.ok(none > little && little > half && half > all, `${none} ${little} ${half} ${all}`);
    // Beside the first row, and below the second column.
    assert.deepEqual(at(55, 187), [194, 22, 28]);
    assert.deepEqual(at(870, 565), [10, 79, 160]);
  });

  it('is part of the built page', async () => {
    const page = join(root, '.build/page');
    const html = await readFile(join(page, 'index.html'), 'utf8');
    const named = Object.fromEntries(
      Array.from(
        html.matchAll(/<meta\s+property="og:(\w+)"\s+content="([^"]+)"/g),
        ([, ...pair]) => pair,
      ),
    );
    assert.deepEqual(Object.keys(named).sort(), ['description', 'image', 'title', 'type']);
    const { width } = decode(await readFile(join(page, named.image)));
    assert.equal(width, 1200);
    // Opening the page does not load the preview picture.
    const worker = await readFile(join(page, 'service_worker.js'), 'utf8');
    assert.ok(!worker.includes('preview.png'));
  });
});
