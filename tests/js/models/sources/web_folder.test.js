// Folders of a server, and models from them: requests and their answers, and abortion by a signal.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel, openFolder } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { explainBitDifference } from '../../../support/js/compare.js';
import { escapingPaths } from '../../../support/js/escaping_paths.js';
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
    else response.write(part, stalled);
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

/** Mocks a server during a call, and returns its requests: [method, path, range]. */
async function withServer(answer, use, address = 'https://models.test/bert') {
  const { fetch } = globalThis;
  const asked = [];
  globalThis.fetch = async (url, { method = 'GET', headers } = {}) => {
    asked.push([method, `${url.pathname}${url.search}`, headers?.range]);
    return answer(asked.at(-1));
  };
  try {
    return await use(openFolder(address), asked);
  } finally {
    globalThis.fetch = fetch;
  }
}

describe('files of a server', () => {
  const size = 300_000;
  const bytes = Uint8Array.from({ length: size }, (_, n) => n % 251);
  const partial = (range, total = size) => {
    const [first, last] = range.match(/\d+/g).map(Number);
    const headers = { 'content-range': `bytes ${first}-${last}/${total}` };
    return new Response(bytes.slice(first, last + 1), { status: 206, headers });
  };

  it('are requested first for 256 KiB, then for missing ranges', () =>
    withServer(
      ([, , range]) => partial(range),
      async (folder, asked) => {
        const file = await folder.bytes('w');
        assert.equal(file.size, size);
        assert.deepEqual(asked.splice(0), [['GET', '/bert/w', 'bytes=0-262143']]);
        const read = async (begin, end) => {
          const part = file.slice(begin, end);
          assert.deepEqual(new Uint8Array(await part.arrayBuffer()), bytes.slice(begin, end));
          if (part.stream && begin < end) {
            const { value } = await (await part.stream()).getReader().read();
            assert.equal(value[0], bytes[begin]);
          }
          return asked.splice(0).map(([, , range]) => range);
        };
        assert.deepEqual(await read(0, 8), []);
        assert.deepEqual(await read(100, 262_144), []);
        assert.deepEqual(await read(size, size), []);
        const asks = ['bytes=262143-262144', 'bytes=262143-262144'];
        assert.deepEqual(await read(262_143, 262_145), asks);
      },
    ));

  it('are read whole without range support, and may be missing', () =>
    withServer(
      ([, path]) =>
        new Response(path.endsWith('w') ? bytes : 'none', {
          status: path.endsWith('w') ? 200 : 404,
        }),
      async (folder) => {
        assert.equal((await folder.bytes('w')).size, size);
        assert.equal(await folder.bytes('x'), undefined);
        assert.equal(await folder.text('x'), undefined);
      },
    ));

  it('that are missing free the connection', async () => {
    for (const status of [404, 410]) {
      const answer = new Response('a page', { status });
      await withServer(
        () => answer,
        (folder) => folder.text('config.json'),
      );
      assert.equal(answer.bodyUsed, true);
    }
    for (const status of [403, 405, 411, 500]) {
      const asking = withServer(
        () => new Response('', { status }),
        (folder) => folder.text('a'),
      );
      const message = new RegExp(`/bert/a returned status ${status}$`);
      await assert.rejects(asking, { message, status });
    }
  });

  it('may fail, or be aborted during a response', async () => {
    const failing = () => Promise.reject(new TypeError('no network'));
    const reading = withServer(failing, (folder) => folder.text('a'));
    await assert.rejects(reading, /\/bert\/a could not be fetched: no network$/);
    const stop = new AbortController();
    const { fetch } = globalThis;
    globalThis.fetch = async () => {
      stop.abort(new Error('enough'));
      throw new TypeError('aborted');
    };
    try {
      const folder = openFolder('https://models.test/bert/', { signal: stop.signal });
      await assert.rejects(folder.text('a'), /^Error: enough$/);
    } finally {
      globalThis.fetch = fetch;
    }
  });

  it('have their length in Content-Range or Content-Length', async () => {
    const sizeOf = (total, head) =>
      withServer(
        ([method, , range]) => (method === 'HEAD' ? head : partial(range, total)),
        async (folder) => (await folder.bytes('w')).size,
      );
    const length = (count, status = 200) =>
      new Response(null, { status, headers: { 'content-length': count } });
    assert.equal(await sizeOf(size), size);
    assert.equal(await sizeOf('*', length(size)), size);
    await assert.rejects(sizeOf('9'.repeat(20)), /\/bert\/w has a length of 1\d+ bytes/);
    await assert.rejects(sizeOf('*', length('9'.repeat(20))), /\/bert\/w has a length of/);
    for (const head of [length('0'), length('9', 404), new Response(null)]) {
      await assert.rejects(sizeOf('*', head), /\/bert\/w has no content-length$/);
    }
  });

  it('are refused if later responses are not ranges', () =>
    withServer(
      ([, , range]) => (range.startsWith('bytes=0-') ? partial(range) : new Response(bytes)),
      async (folder) => {
        const file = await folder.bytes('w');
        const sentence = /\/bert\/w stopped supporting range requests \(bytes 280000 to 280004\)$/;
        await assert.rejects(file.slice(280_000, 280_004).arrayBuffer(), sentence);
        await assert.rejects(file.slice(280_000, 280_004).stream(), sentence);
      },
    ));

  it('are refused if a response is another range', async () => {
    const answers = {
      'another begin': { 'content-range': `bytes 280004-280007/${size}` },
      'another end': { 'content-range': `bytes 280000-280004/${size}` },
      'another size': { 'content-range': `bytes 280000-280003/${size + 1}` },
      'another tag': { etag: '"b"' },
      'another date': { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' },
    };
    const first = { etag: '"a"', 'last-modified': 'Sun, 31 Dec 2023 00:00:00 GMT' };
    const read = (headers) =>
      withServer(
        ([, , range]) => {
          const answer = partial(range);
          const given = range.startsWith('bytes=0-') ? first : headers;
          for (const [name, value] of Object.entries(given)) answer.headers.set(name, value);
          return answer;
        },
        async (folder) => {
          const file = await folder.bytes('w');
          const part = file.slice(280_000, 280_004);
          const bytes = new Uint8Array(await part.arrayBuffer());
          await part.stream();
          return bytes;
        },
      );
    for (const [what, headers] of Object.entries(answers)) {
      await assert.rejects(read(headers), { name: 'Error', message: /\/bert\/w / }, what);
    }
    // Hidden or missing headers have no effect.
    const want = bytes.slice(280_000, 280_004);
    for (const headers of [{}, first, { etag: first.etag }, { 'content-range': '' }]) {
      assert.deepEqual(await read(headers), want);
    }
  });

  it('are refused if the first response is another range', async () => {
    const open = (range, count, head) =>
      withServer(
        ([method]) =>
          method === 'HEAD'
            ? head
            : new Response(bytes.slice(0, count), {
                status: 206,
                headers: { 'content-range': `bytes ${range}`, etag: '"a"' },
              }),
        (folder) => folder.bytes('w'),
      );
    assert.equal((await open('0-99/300', 100)).size, 300);
    for (const [range, count] of [
      ['4-103/300', 100],
      ['0-99/300', 101],
      ['0-99/50', 100],
    ]) {
      await assert.rejects(
        open(range, count),
        { message: /bert\/w returned content-range bytes/ },
        range,
      );
    }
    const head = new Response(null, { headers: { 'content-length': 300, etag: '"b"' } });
    await assert.rejects(open('0-99/*', 100, head), /changed while it was read/);
  });

  it('are requested with a Range header only', async () => {
    const { fetch } = globalThis;
    const named = new Set();
    globalThis.fetch = async (url, { headers = {} } = {}) => {
      for (const name of Object.keys(headers)) named.add(name);
      return partial(headers.range ?? 'bytes=0-1');
    };
    try {
      const file = await openFolder('https://models.test/').bytes('w');
      await file.slice(280_000, 280_004).arrayBuffer();
    } finally {
      globalThis.fetch = fetch;
    }
    assert.deepEqual([...named], ['range']); // any other costs a question of its own at another origin
  });

  it('are requested from this folder only', () =>
    withServer(
      () => new Response('{}'),
      async (folder, asked) => {
        for (const name of [...escapingPaths, 'a?b', 'a#b', 'a?', 'a#']) {
          for (const read of [folder.text, folder.bytes]) {
            await assert.rejects(async () => read(name), RangeError, name);
          }
        }
        assert.deepEqual(asked, []);
        await folder.text('b/c.json');
        assert.deepEqual(asked, [['GET', '/a/b/c.json?key=1', undefined]]);
      },
      'https://models.test/a?key=1',
    ));

  it('are below the address, with its query', async () => {
    for (const [address, path] of [
      ['https://models.test/a/b', '/a/b/c.json'],
      ['https://models.test/a/b/', '/a/b/c.json'],
      ['https://models.test/a?key=1#x', '/a/c.json?key=1'],
    ]) {
      await withServer(
        () => new Response('{}'),
        async (folder, asked) => {
          assert.equal(await folder.text('c.json'), '{}');
          assert.equal(asked[0][1], path);
        },
        address,
      );
    }
  });
});
