// The reader's vectors: word vectors as text, projections as safetensors, and a message for every broken file.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { loadAttention } from 'attention-wasm';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { wordVectors } from 'attention-wasm/text';
import { assertTable } from '../support/js/page_numbers.js';
import {
  choose,
  dropFile,
  open,
  paste,
  pick,
  readTable,
  startPage,
} from '../support/browser/page_driver.js';

const { MultiHeadAttention, attention } = await loadAttention();
const text = 'Tea for uncle';
const labels = ['Tea', 'for', 'uncle'];

const vectors = { tea: [1, 0.5, -0.25, 2], for: [0.1, -1, 0.75, 0], cup: [1, 1, 1, 1] };
const glove = Object.entries(vectors)
  .map(([word, numbers]) => `${word} ${numbers.join(' ')}\n`)
  .join('');
const x = {
  data: Float32Array.from([...vectors.tea, ...vectors.for, 0, 0, 0, 0]),
  dims: [3, 4],
};

const matrix = (rows, columns, seed) => ({
  data: Float32Array.from({ length: rows * columns }, (_, at) => Math.sin(seed + at * at) / 2),
  dims: [rows, columns],
});
const layerOf = (dim) => ({
  W_Q: matrix(dim, 6, 1),
  W_K: matrix(dim, 6, 2),
  W_V: matrix(dim, 4, 3),
});
const fileOf = (tensors, metadata) => writeSafetensors(tensors, { metadata });

function weightsOf(input, { W_Q, W_K, W_V }, heads) {
  const layer = MultiHeadAttention.fromWeights({ query: W_Q, key: W_K, value: W_V }, { heads });
  const { query, key, value } = layer.project(input);
  layer.delete();
  return attention(query, key, value, { weights: true }).weights.data;
}

for (const name of ['chromium', 'firefox']) {
  describe(`files in the page in ${name}`, { timeout: 300_000 }, () => {
    const demo = startPage(name);

    const start = async () => {
      const opened = await open(demo.browser, demo.url);
      await paste(opened.page, 'first', text);
      await pick(opened.page, 'source', 'files');
      return opened;
    };
    const note = (page) => page.$eval('.note', (element) => element.textContent);

    it('accepts word vectors, with and without a first line of sizes', async () => {
      const { page, said } = await start();
      assert.match(await note(page), /spelling stands in/);
      for (const [fileName, content] of [
        ['glove.txt', glove],
        ['w2v.vec', `3 4\r\n${glove.replaceAll('\n', ' \r\n')}`],
        ['last-line.txt', glove.trimEnd()],
      ]) {
        const says = await dropFile(page, fileName, content);
        assert.match(says, RegExp(`${fileName}: 3 words, 4 numbers each`));
        assertTable(
          await readTable(page),
          { rows: labels, columns: labels },
          attention(x, x, x, { weights: true }).weights.data,
        );
        assert.match(await note(page), /Not in .*: uncle\./);
      }
      assert.deepEqual(said, []);
      await page.close();
    });

    it('accepts projections, for spelling and for word vectors, in any order', async () => {
      const { page } = await start();
      const wide = layerOf(10);
      assert.match(await dropFile(page, 'layer.safetensors', fileOf(wide)), /W_Q, W_K 10 × 6/);
      const spelled = wordVectors(labels, { dim: 10 });
      const size = 9;
      await choose(page, 'heads', '2');
      const two = weightsOf(spelled, wide, 2);
      assertTable(await readTable(page), { rows: labels, columns: labels }, two.subarray(0, size));
      await pick(page, 'head', '1');
      assertTable(await readTable(page), { rows: labels, columns: labels }, two.subarray(size));
      // An impossible number of heads gives a message, and the page keeps working.
      await choose(page, 'heads', '4');
      const message = await page.$eval('.message', (element) => element.textContent);
      assert.match(message, /6 numbers cannot be shared by 4 heads/);
      await choose(page, 'heads', '2');
      // Word vectors of another length are refused.
      assert.match(await dropFile(page, 'glove.txt', glove), /have 4 numbers and W_Q takes 10/);
      const narrow = layerOf(4);
      await dropFile(page, 'named.safetensors', fileOf(narrow, { heads: '1' }));
      await dropFile(page, 'glove.txt', glove);
      assertTable(
        await readTable(page),
        { rows: labels, columns: labels },
        weightsOf(x, narrow, 1),
      );
      await page.close();
    });

    it('opens the layers of a model by their own names', async () => {
      const { page } = await start();
      const layers = [1, 5].map((seed) => [0, 1, 2].map((at) => matrix(4, 4, seed + at)));
      const tensors = layers.map((three, layer) => {
        // A row of c_attn has rows of all three matrices, one after the other.
        const rows = [0, 1, 2, 3].flatMap((row) =>
          three.flatMap(({ data }) => [...data.subarray(4 * row, 4 * row + 4)]),
        );
        const tensor = { data: Float32Array.from(rows), dims: [4, 12] };
        return [`transformer.h.${layer}.attn.c_attn.weight`, tensor];
      });
      const says = await dropFile(page, 'gpt.safetensors', fileOf(Object.fromEntries(tensors)));
      assert.match(says, /2 layers, the first with W_Q, W_K 4 × 4, W_V 4 × 4/);
      await dropFile(page, 'glove.txt', glove);
      for (const [at, [W_Q, W_K, W_V]] of layers.entries()) {
        await pick(page, 'part', `files.${at}`);
        const chosen = await page.$eval('#part', (one) => one.selectedOptions[0].textContent);
        assert.equal(chosen, `transformer.h.${at}.attn`);
        const truth = weightsOf(x, { W_Q, W_K, W_V }, 1);
        assertTable(await readTable(page), { rows: labels, columns: labels }, truth);
      }
      assert.match(await note(page), /Every layer is given the words’ vectors/);
      await page.close();
    });

    it('shows a message for an invalid file, and keeps the picture', async () => {
      const { page, said } = await start();
      const good = layerOf(4);
      const before = await readTable(page);
      for (const [fileName, content, pattern] of [
        ['empty.txt', '', /no line with a word/],
        [
          'prose.txt',
          'It was a dark and stormy night\n',
          /line 1 should be a word and its numbers/,
        ],
        ['short.txt', 'tea 1 2 3\ncup 1 2\n', /line 2 has a word and 2 numbers.* has 3/],
        ['packed.txt', gzipSync(glove), /gzip/],
        ['binary.bin', Buffer.from([1, 2, 0, 0, 7, 9, 0, 3]), /binary/],
        ['cut.safetensors', fileOf(good).subarray(0, 40), /cannot be read as safetensors/],
        ['text.safetensors', 'hello, world', /cannot be read as safetensors/],
        ['no-key.safetensors', fileOf({ W_Q: good.W_Q, W_V: good.W_V }), /no W_K;.*has W_Q, W_V/],
        [
          'uneven.safetensors',
          fileOf({ ...good, W_K: matrix(4, 5, 1) }),
          /W_Q is 4 × 6 and W_K is 4 × 5/,
        ],
        [
          'heads.safetensors',
          fileOf(good, { heads: '5' }),
          /6 numbers cannot be shared by 5 heads/,
        ],
        [
          'whole.safetensors',
          fileOf({ ...good, W_Q: { data: new Int32Array(24), dims: [4, 6] } }),
          /W_Q is of int32/,
        ],
      ]) {
        const says = await dropFile(page, fileName, content);
        assert.match(says, pattern, fileName);
        assert.ok(says.includes(fileName), says);
      }
      assert.deepEqual(await readTable(page), before);
      // An invalid number is found when its word is read.
      await dropFile(page, 'odd.txt', 'cup 1 2\nfor 1 x2\n');
      const message = await page.$eval('.message', (element) => element.textContent);
      assert.match(message, /number 2 of “for” is “x2”/);
      await paste(page, 'first', 'cup');
      assert.equal(await page.$eval('.message', (element) => element.hidden), true);
      assert.deepEqual(said, []);
      await page.close();
    });
  });
}
