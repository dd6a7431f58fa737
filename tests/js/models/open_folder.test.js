// openFolder(): files of a server and of a folder on disk, also as the source of a model.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'node:test';
import { loadModel, openFolder } from 'attention-wasm/models';
import { openSafetensors, writeSafetensors } from 'attention-wasm/safetensors';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededWeights } from '../../support/js/seeded_weights.js';
import { signalLike } from '../../support/js/signal_like.js';

const { config, ...rest } = cases.gpt2;
const stored = seededWeights(rest);
const files = {
  'config.json': Buffer.from(JSON.stringify(config)),
  'model.safetensors': Buffer.from(writeSafetensors(stored)),
  'card.txt': Buffer.from('tea'),
};
const ids = [1, 2, 3];
const logitsOf = async (source) => {
  const model = await loadModel(source);
  const { logits } = model.run({ ids });
  model.delete();
  return logits;
};

/** Answers requests for https://models.test/gpt2/ during a call. */
async function withServer(use) {
  const { fetch } = globalThis;
  globalThis.fetch = async (url, { headers, signal } = {}) => {
    signal?.throwIfAborted();
    const file = url.href.startsWith('https://models.test/gpt2/')
      ? files[url.pathname.split('/').at(-1)]
      : undefined;
    if (!file) return new Response(null, { status: 404 });
    const [first, last] = headers?.range?.match(/\d+/g).map(Number) ?? [];
    if (last === undefined) return new Response(file);
    const part = file.subarray(first, last + 1);
    const range = `bytes ${first}-${first + part.length - 1}/${file.length}`;
    return new Response(part, { status: 206, headers: { 'content-range': range } });
  };
  try {
    return await use();
  } finally {
    globalThis.fetch = fetch;
  }
}

describe('openFolder()', () => {
  let path;
  let expected;

  before(async () => {
    path = await mkdtemp(join(tmpdir(), 'attention-wasm-folder-'));
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(path, name), bytes);
    expected = await logitsOf({ config, weights: files['model.safetensors'] });
  });

  after(() => rm(path, { recursive: true, force: true }));

  /** Reads text and tensors of a folder, and loads it twice. */
  async function check(folder, location) {
    assert.equal(folder.location, location);
    assert.equal(await folder.text('card.txt'), 'tea');
    assert.equal(await folder.text('other.txt'), undefined);
    assert.equal(await folder.bytes('other.safetensors'), undefined);
    const file = await openSafetensors(await folder.bytes('model.safetensors'));
    assert.deepEqual(await logitsOf(folder), expected);
    assert.deepEqual(await logitsOf(folder), expected);
    // Loading leaves the caller's files open.
    const [name] = file.names;
    assert.deepEqual((await file.read(name)).data, stored.get(name).data);
    await assert.rejects(folder.text('../config.json'), /^RangeError: .* is not in the folder/);
    await assert.rejects(folder.bytes('..\\config.json/../../x'), RangeError);
    await assert.rejects(folder.text(), /^TypeError: path must be a string, found undefined$/);
    await assert.rejects(folder.bytes(7), /^TypeError: path must be a string, found 7$/);
    await folder.close();
    await folder.close();
    return file;
  }

  it('reads the files of a server', () =>
    withServer(async () => {
      const address = 'https://models.test/gpt2';
      await check(openFolder(address), `${address}/`);
      await check(openFolder(new URL(address), {}), `${address}/`);
    }));

  it('reads the files of a folder on disk, until it is closed', async () => {
    const file = await check(openFolder(path), path);
    await assert.rejects(file.read(file.names[0]));
    const again = openFolder(pathToFileURL(path));
    assert.equal(await again.text('card.txt'), 'tea');
    await again.close();
  });

  it('stops requests by a signal, also of another realm', () =>
    withServer(async () => {
      for (const make of [(signal) => signal, signalLike]) {
        const stop = new AbortController();
        const folder = openFolder('https://models.test/gpt2/', { signal: make(stop.signal) });
        assert.equal(await folder.text('card.txt'), 'tea');
        stop.abort(new Error('enough'));
        await assert.rejects(folder.text('card.txt'), /^Error: enough$/);
        await assert.rejects(folder.bytes('model.safetensors'), /^Error: enough$/);
      }
    }));

  it('refuses what is no address, unknown options, and other signals', () => {
    for (const address of [undefined, 7, {}, ['a']]) {
      assert.throws(
        () => openFolder(address),
        /^TypeError: address must be a string or a URL, found/,
      );
    }
    assert.throws(() => openFolder(path, { cache: true }), /openFolder\(\) has no option 'cache'/);
    assert.throws(
      () => openFolder(path, { signal: {} }),
      /^TypeError: signal must be an AbortSignal/,
    );
  });
});

describe('a model from an object with text() and bytes()', () => {
  it('is that of its files', async () => {
    const asked = [];
    const folder = {
      location: 'memory',
      async text(name) {
        asked.push(name);
        return files[name]?.toString();
      },
      async bytes(name) {
        asked.push(name);
        return files[name] && new Blob([files[name]]);
      },
    };
    const expected = await logitsOf({ config, weights: files['model.safetensors'] });
    assert.deepEqual(await logitsOf(folder), expected);
    assert.ok(asked.includes('config.json') && asked.includes('model.safetensors'));
    await assert.rejects(
      loadModel({ ...folder, bytes: async () => undefined }),
      /^Error: missing model\.safetensors or .* of memory; /,
    );
    await assert.rejects(
      loadModel({ ...folder, text: async () => undefined }),
      /^Error: missing file config\.json of memory$/,
    );
  });

  it('is refused without one of them', async () => {
    const whole = { location: 'memory', text: async () => '', bytes: async () => undefined };
    for (const name of Object.keys(whole)) {
      await assert.rejects(
        loadModel({ ...whole, [name]: undefined }),
        /^TypeError: the source of a model must be .*a result of openFolder\(\).*found an object$/,
      );
    }
    await assert.rejects(loadModel(new Response('{}')), /^TypeError: the source of a model/);
  });
});
