// attention-wasm/models from a URL: number and size of requests, and abortion by a signal.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { explainBitDifference } from '../../../support/js/compare.js';
import { cases } from '../../../support/js/models_with_tokens.js';
import { seededWeights } from '../../../support/js/seeded_weights.js';
import { signalLike } from '../../../support/js/signal_like.js';

const found = cases.gpt2;
const vocabulary = 3 * 2 ** 17; // rows of 8 numbers: a table of three ranges
const isWords = ([dim]) => dim === found.config.vocab_size;
const config = { ...found.config, vocab_size: vocabulary };
const shapes = Object.fromEntries(
  Object.entries(found.shapes).map(([name, dims]) => [
    name,
    isWords(dims) ? [vocabulary, 8] : dims,
  ]),
);
const bytes = Buffer.from(writeSafetensors(seededWeights({ ...found, shapes })));
const largestPiece = 2 ** 22;
const readAhead = 2 ** 18; // the first request also tests whether the server supports ranges

/**
 * Serves the model to `use(address)`; resolves to the requests for the weights: { begin, length } each, and whether the
 * answer was read completely.
 *
 * @param {{ ranges?: boolean, most?: number, stalled?(): void }} how after `most` bytes no more come, and it stalls
 */
async function whileServed(use, { ranges = true, most = Infinity, stalled } = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    if (request.url.endsWith('config.json')) {
      const isConfig = request.url.endsWith('/config.json');
      response.writeHead(isConfig ? 200 : 404).end(isConfig ? JSON.stringify(config) : '');
      return;
    }
    if (!request.url.endsWith('/model.safetensors')) {
      response.writeHead(404).end();
      return;
    }
    const range = ranges && /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '');
    const begin = range ? Number(range[1]) : 0;
    const end = range ? Math.min(Number(range[2]) + 1, bytes.length) : bytes.length;
    if (range) {
      const place = `bytes ${begin}-${end - 1}/${bytes.length}`;
      response.writeHead(206, { 'content-range': place, 'content-length': end - begin });
    }
    const one = { begin, length: end - begin, isWhole: false };
    asked.push(one);
    const sent = asked.slice(0, -1).reduce((sum, { length }) => sum + length, 0);
    const part = bytes.subarray(begin, Math.min(end, begin + Math.max(0, most - sent)));
    response.on('finish', () => (one.isWhole = true));
    if (part.length === end - begin) response.end(part);
    else response.write(part, () => setTimeout(stalled, 20));
  });
  await new Promise((resolve) => server.listen(0, resolve));
  try {
    await use(`http://localhost:${server.address().port}/`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return asked;
}

async function logitsOf(source) {
  const model = await loadModel(source);
  try {
    return model.run({ ids: [5, vocabulary - 1] }).logits;
  } finally {
    model.delete();
  }
}

describe('a model by its address', () => {
  it('is requested once, in ranges', async () => {
    const want = await logitsOf({ config, weights: bytes });
    const told = [];
    const asked = await whileServed(async (address) => {
      const model = await loadModel(address, { onProgress: ({ loaded }) => told.push(loaded) });
      assert.equal(explainBitDifference(model.run({ ids: [5, vocabulary - 1] }).logits, want), '');
      model.delete();
    });
    const total = asked.reduce((sum, { length }) => sum + length, 0);
    assert.ok(asked.length >= 4, `${asked.length} requests`);
    assert.ok(total <= bytes.length + readAhead, `${total} bytes of ${bytes.length}`);
    const largest = Math.max(...asked.map(({ length }) => length));
    assert.ok(largest <= largestPiece, `${largest} bytes at once`);
    assert.ok(told.length >= 4 && told.every((loaded, n) => loaded >= (told[n - 1] ?? 0)));
  });

  it('is requested once from a server without ranges', async () => {
    const want = await logitsOf({ config, weights: bytes });
    const asked = await whileServed(
      async (address) => assert.equal(explainBitDifference(await logitsOf(address), want), ''),
      { ranges: false },
    );
    assert.deepEqual(asked, [{ begin: 0, length: bytes.length, isWhole: true }]);
  });

  it('can be aborted in the middle of a response', async () => {
    const api = await loadAttention();
    await logitsOf({ config, weights: bytes });
    const before = api.memoryBytes();
    const reason = new Error('changed my mind');
    for (const ranges of [true, false]) {
      for (const most of [1, 1000, 2 ** 22 + 1000]) {
        const stop = new AbortController();
        const use = async (address) => {
          await assert.rejects(loadModel(address, { signal: stop.signal, api }), reason);
        };
        const stalled = () => stop.abort(reason);
        const asked = await whileServed(use, { ranges, most, stalled });
        assert.equal(asked.at(-1).isWhole, false);
      }
    }
    assert.equal(api.memoryBytes(), before);
  });

  it('can be aborted by a signal of another realm, whose listener is removed', async () => {
    const stop = new AbortController();
    const reason = new Error('changed my mind');
    const listening = new Set();
    const signal = Object.assign(signalLike(stop.signal), {
      addEventListener(type, listener) {
        listening.add(listener);
        stop.signal.addEventListener(type, listener);
      },
      removeEventListener(type, listener) {
        listening.delete(listener);
        stop.signal.removeEventListener(type, listener);
      },
    });
    const loaded = async (address) => (await loadModel(address, { signal })).delete();
    await whileServed(loaded);
    assert.equal(listening.size, 0);
    const use = (address) => assert.rejects(loadModel(address, { signal }), reason);
    await whileServed(use, { most: 1000, stalled: () => stop.abort(reason) });
    assert.equal(listening.size, 0);
  });
});
