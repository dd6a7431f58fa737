// Rare arguments: addresses that cannot be loaded, symbols as keys, empty tables, workers that are not workers, texts
// without words.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';
import { mergeWords } from 'attention-wasm/translator';
import { createLabels, visible } from '../../web/lib/heatmap/labels.js';
import { formatEnd } from '../../web/lib/heatmap/number_formats.js';
import { isForeign } from '../../web/lib/translator/detect_language.js';

const { attention, embed } = await loadAttention();
const x = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };

describe('the module', () => {
  it('at a wrong address gives an error with the address, and advice for files', async () => {
    await assert.rejects(
      loadAttention({ wasm: new URL('file:///nowhere/attention.wasm') }),
      /^Error: the wasm at file:\/\/\/nowhere\/attention\.wasm could not be loaded \(read the file and pass its bytes instead\): /,
    );
    await assert.rejects(
      loadAttention({ wasm: new URL('http://127.0.0.1:1/attention.wasm') }),
      /^Error: the wasm at http:\/\/127\.0\.0\.1:1\/attention\.wasm could not be loaded: /,
    );
    await assert.rejects(
      loadAttention({ wasm: new Response('', { status: 404 }) }),
      /was answered with status 404/,
    );
  });

  it('refuses symbols as names of options', () => {
    const { output } = attention(x, x, x, { [Symbol('mine')]: 1 });
    assert.deepEqual(output, attention(x, x, x).output);
    assert.throws(() => attention(x, x, x, { scores: [] }), /scores must name each stage once/);
    assert.throws(
      () => attention(x, x, x, { scores: ['raw', 'raw'] }),
      /scores must name each stage once, and at least one/,
    );
  });

  it('looks up nothing in an empty table', () => {
    const table = { data: new Float32Array(0), dims: [0, 4] };
    assert.throws(() => embed([0], table), /ids\[0\] is 0 but the table is empty/);
    assert.deepEqual(embed([], table).dims, [0, 4]);
  });
});

describe('a pool', () => {
  it('checks that its workers are workers', async () => {
    const pool = await loadAttentionPool({ workers: 1, createWorker: () => ({}) });
    const long = { data: new Float32Array(512 * 64).fill(0.5), dims: [1, 1, 512, 64] };
    await assert.rejects(pool.attention(long, long, long), {
      name: 'TypeError',
      message: /createWorker must return a worker, found an object/,
    });
    await pool.close();
  });
});

describe('texts', () => {
  it('without words are in no language, and have no words to merge', () => {
    assert.equal(isForeign('12 + 3', '12 + 3', [-1]), false);
    const nothing = { data: new Float32Array(0), dims: [2, 0, 0] };
    assert.deepEqual(mergeWords(nothing, [], []), { data: new Float32Array(0), dims: [2, 0, 0] });
  });

  it('show spaces at their ends, also after their cache of widths is full', () => {
    assert.equal(visible('\u2003a\n'), '␣a↵');
    assert.equal(formatEnd(Infinity), '∞');
    let measured = 0;
    const { widthOf } = createLabels((text) => {
      measured++;
      return text.length;
    });
    for (let n = 0; n < 20_002; n++) widthOf(`${n}`, 10);
    assert.equal(widthOf('20001', 10), 5);
    assert.equal(measured, 20_002);
    assert.equal(widthOf('1', 10), 1);
    assert.equal(measured, 20_003);
  });
});
