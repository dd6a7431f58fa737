// Preview of a link in other services: title, sentence, and a PNG picture of the initial picture's cells.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { previewPNG } from '../../web/preview_picture.js';
import { root } from '../support/js/package.js';

/** Decodes a PNG: { width, height, at(x, y) → [r, g, b] }; checks the checksum of every chunk. */
function decode(file) {
  assert.deepEqual([...file.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = new Map();
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const named = file.subarray(at + 4, at + 8 + length);
    assert.equal(file.readUInt32BE(at + 8 + length), crc32(named));
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4));
    at += 12 + length;
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assert.deepEqual([...header.subarray(8)], [8, 2, 0, 0, 0]);
  const lines = inflateSync(chunks.get('IDAT'));
  const line = 1 + 3 * width;
  assert.equal(lines.length, height * line);
  for (let y = 0; y < height; ++y) assert.equal(lines[y * line], 0, 'the filter of a line');
  const at = (x, y) => [...lines.subarray(y * line + 1 + 3 * x, y * line + 4 + 3 * x)];
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
