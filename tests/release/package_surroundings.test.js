// The built library in environments that lack a feature, refuse an operation, or resemble another environment.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { loadTranslator } from 'attention-wasm/translator';
import { byteLevel, withTokens } from '../support/js/models_with_tokens.js';
import { root } from '../support/js/package.js';

const eye = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };

/** Replaces a property of an object for the duration of a test. */
function replace(t, object, name, value) {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  t.after(() => Object.defineProperty(object, name, before));
}

/** A separate instance: calls without options share one. */
const load = (options) => loadAttention({ kernels: 'simd', ...options });

async function assertComputes() {
  const { attention } = await load();
  assert.deepEqual(attention(eye, eye, eye).output.dims, [2, 2]);
}

describe('a process that is not that of Node.js', () => {
  const refuse = () => {
    throw new Error('A Node.js API is used which is not supported here');
  };

  it('is left alone: functions without a version, as in the edge runtime of Next.js', async (t) => {
    replace(t, process, 'versions', undefined);
    replace(t, process, 'getBuiltinModule', refuse);
    await assertComputes();
    replace(t, globalThis, 'DecompressionStream', refuse);
    await assertComputes();
  });

  it('is left alone: versions without functions, as in older Node.js and in polyfills', async (t) => {
    replace(t, process, 'getBuiltinModule', undefined);
    await assertComputes();
    replace(t, process, 'versions', {});
    await assertComputes();
  });

  it('finds no await among the arguments of WebAssembly, which Next.js puts into a function', async () => {
    for (const name of ['index.js', 'core.js', 'pool_worker_code.js']) {
      const code = await readFile(join(root, 'web/built', name), 'utf8');
      assert.match(code, /WebAssembly\.\w+\(/, name);
      assert.doesNotMatch(code, /WebAssembly\.\w+\([^()]*\bawait\b/, name);
    }
  });
});

describe('text without TextDecoder and TextEncoder', () => {
  const text = 'a\u0000é×€\u2028𝄞\ufeff';
  const names = ['TextDecoder', 'TextEncoder'];
  // Fresh copies of the built files, evaluated after the change.
  const fresh = (name) => import(`../../web/built/${name}.js?without-text`);

  it('passes through the library, as in audio worklets', async (t) => {
    for (const name of names) replace(t, globalThis, name, undefined);
    const { loadAttention: loadAnew } = await fresh('index');
    const api = await loadAnew();
    assert.deepEqual(api.attention(eye, eye, eye).output.dims, [2, 2]);
    const wide = { data: new Float32Array(6), dims: [2, 3] };
    assert.throws(() => api.attention(eye, wide, eye), { name: 'RangeError', message: /2×3/ });
  });

  it('passes through files and tokenizers with the setup for Jest in jsdom', async (t) => {
    const source = withTokens('gpt2', 258, byteLevel([['a', 't']]));
    for (const name of names) replace(t, globalThis, name, undefined);
    await import('../../web/reference/guides/examples/jest.setup.js');
    const { parseSafetensors, writeSafetensors } = await fresh('safetensors');
    const { tensors } = parseSafetensors(writeSafetensors({ [text]: eye }));
    assert.deepEqual([...tensors.keys()], [text]);
    const { loadModel: loadAnew } = await fresh('models');
    const model = await loadAnew(source);
    assert.deepEqual(model.run('é cat').tokens, ['Ã', '©', 'Ġ', 'c', 'at']);
    model.delete();
  });
});

describe('a module that may not be compiled', () => {
  const wasm = readFile(join(root, 'web/built/attention.wasm'));
  const policy = /^WebAssembly may not be compiled here: .+ 'wasm-unsafe-eval' in script-src/s;
  const handedOver = /WebAssembly\.Module.*attention-wasm\/core/;
  // Messages of real engines.
  const chromium =
    "WebAssembly.Module(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive because 'unsafe-eval' is not an allowed source of script";
  const firefox = 'call to WebAssembly.Module() blocked by CSP';
  const webkit =
    "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source of script in the following Content Security Policy directive: \"script-src 'self'\"";
  const workerd = 'WebAssembly.Module(): Wasm code generation disallowed by embedder';
  const refusing = (message) =>
    function Module() {
      throw new WebAssembly.CompileError(message);
    };

  for (const [engine, message, expected] of [
    ['Chromium', chromium, policy],
    ['Firefox', firefox, policy],
    ['workerd', workerd, handedOver],
  ]) {
    it(`is told with the remedy: ${engine}, at compiling`, async (t) => {
      const bytes = await wasm;
      replace(t, WebAssembly, 'Module', refusing(message));
      const said = await load({ wasm: bytes }).catch((error) => error);
      assert.match(said.message, expected);
      assert.equal(said.cause.message, message);
    });
  }

  it('is told with the remedy: WebKit, at instantiating', async (t) => {
    const compiled = new WebAssembly.Module(await wasm);
    const refused = async () => {
      throw new WebAssembly.CompileError(webkit);
    };
    replace(t, WebAssembly, 'instantiate', refused);
    const said = await load({ wasm: compiled }).catch((error) => error);
    assert.match(said.message, policy);
    assert.equal(said.cause.message, webkit);
  });

  it('is told with the remedy where it comes from an address', async (t) => {
    const refused = async () => {
      throw new WebAssembly.CompileError(chromium);
    };
    replace(t, WebAssembly, 'compileStreaming', refused);
    replace(t, WebAssembly, 'Module', refusing(chromium));
    const url = new URL(`data:application/wasm;base64,${(await wasm).toString('base64')}`);
    const said = await load({ wasm: url }).catch((error) => error);
    assert.match(said.message, policy);
  });
});

describe('fused kernels that may not be compiled', () => {
  const workerd = 'WebAssembly.compile(): Wasm code generation disallowed by embedder';
  const refuse = function Module() {
    throw new WebAssembly.CompileError(workerd);
  };

  it('are refused with the remedy: the module, compiled', async (t) => {
    const { fused } = await import('../../web/built/fused.js?refused');
    const { loadAttention: loadCore } = await import('../../web/built/core.js');
    const wasm = new WebAssembly.Module(await readFile(join(root, 'web/built/attention.wasm')));
    replace(t, WebAssembly, 'validate', () => true);
    replace(t, WebAssembly, 'Module', refuse);
    await assert.rejects(loadCore({ wasm, kernels: fused }), (error) => {
      assert.equal(error.name, 'CompileForbiddenError');
      assert.match(error.message, /fused\.wasm.*kernels: <module>/);
      assert.equal(error.cause.message, workerd);
      return true;
    });
  });
});

describe('an engine without a scheduler of tasks, or with one that throws, as the edge runtime of Next.js', () => {
  const refuse = function refused() {
    throw new Error(
      'A Node.js API is used (setImmediate) which is not supported in the Edge Runtime',
    );
  };

  for (const [what, names] of [
    ['setImmediate', ['setImmediate']],
    ['setImmediate and MessageChannel', ['setImmediate', 'MessageChannel']],
  ]) {
    it(`generates without ${what}`, async (t) => {
      const model = await loadModel(withTokens('gpt2', 258, byteLevel([['a', 't']])));
      t.after(() => model.delete());
      const { signal } = new AbortController();
      const ids = async () => {
        const found = [];
        for await (const { id } of model.generate('cat', { maxTokens: 3, signal })) found.push(id);
        return found;
      };
      const expected = await ids();
      assert.equal(expected.length, 3);
      for (const value of [refuse, undefined]) {
        for (const name of names) replace(t, globalThis, name, value);
        assert.deepEqual(await ids(), expected);
      }
    });
  }
});

describe('an engine without URL, as an audio worklet', () => {
  it('loads the library, the translator and a model', async (t) => {
    const source = withTokens('gpt2', 258, byteLevel([['a', 't']]));
    const files = ['weights', 'tokenizer'].map(async (name) => {
      const file = { weights: 'english_french.safetensors', tokenizer: 'tokenizer.json' }[name];
      return readFile(join(root, 'web/model', file));
    });
    const [weights, tokenizer] = await Promise.all(files);
    replace(t, globalThis, 'URL', undefined);
    await assertComputes();
    const model = await loadModel(source);
    assert.equal(model.run('a').tokens.length, 1);
    model.delete();
    const translator = await loadTranslator({ weights, tokenizer: JSON.parse(tokenizer) });
    assert.ok(translator.heads > 0);
  });
});

describe('the worker of a pool outside of a worker', () => {
  it('says that it is one', async () => {
    await assert.rejects(import('attention-wasm/pool-worker'), {
      message: /^'attention-wasm\/pool-worker' .*no worker thread.*createWorker/,
    });
  });
});

describe('an address of no module', () => {
  it('is named once, with its status or what the engine says', async (t) => {
    const url = new URL('http://localhost/attention.wasm');
    const named = (message) => message.split(url.href).length - 1;
    for (const [answer, expected] of [
      [() => new Response('', { status: 404 }), /status 404/],
      [() => new Response('<!doctype html>'), /could not be loaded/],
      [() => Promise.reject(new TypeError('fetch failed')), /fetch failed/],
    ]) {
      replace(t, globalThis, 'fetch', async () =>
        Object.defineProperty(await answer(), 'url', { value: url.href }),
      );
      const said = await load({ wasm: url }).catch((error) => error);
      assert.match(said.message, expected);
      assert.equal(named(said.message), 1, said.message);
    }
  });
});
