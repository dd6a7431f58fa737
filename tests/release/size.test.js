// The weight of the library in a page that uses it. The budget is here and nowhere else.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { loadAttention } from 'attention-wasm';
import { loadAttention as loadFromCore } from 'attention-wasm/core';
import { build } from 'esbuild';
import { unpack } from '../../web/lib/module/unpack.js';
import { pack } from '../../web/pack.js';
import { root } from '../support/js/package.js';

const budget = 76_000; // bytes: the whole library, bundled, minified, gzip -9

const heatmapBudget = 17_300;
const translatorBudget = 21_200; // beside the library and the weights
const modelsBudget = 25_000; // beside the library, the reading of safetensors and the tokenizers
const safetensorsBudget = 5_100;
const textBudget = 2_100; // words()
// Of models, fetched when they are needed.
const late = ['./beams.js', './patches.js', './tokenizer/bert_vocabulary.js'];
const lateNames = late.map((part) => part.replace(/.*\//, './'));
const latePartBudget = 1_600;

const { getBuiltinModule } = process;

/** Makes Node.js an engine like the others, which have no modules of their own. */
function hideBuiltinModules(t) {
  delete process.getBuiltinModule;
  t.after(() => (process.getBuiltinModule = getBuiltinModule));
}

const gzipped = (content) => gzipSync(content, { level: 9 }).length;
const english = (bytes) => bytes.toLocaleString('en');

/** A page's script as esbuild makes it. */
async function bundle(contents, options = {}) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    ...options,
  });
  return outputFiles[0].text;
}

const everything = `import { loadAttention } from 'attention-wasm'; loadAttention();`;

describe('size', () => {
  it(`is at most ${english(budget)} bytes for the whole library`, async (t) => {
    const script = await bundle(everything);
    const wasm = await readFile(join(root, 'web/built/attention.wasm'));
    const weight = gzipped(script);
    t.diagnostic(
      `note: library ${english(weight)} bytes gzipped of ${english(budget)} (${english(script.length)} minified), ` +
        `wasm alone ${english(gzipped(wasm))} (${english(wasm.length)} raw)`,
    );
    assert.ok(weight <= budget, `${weight} bytes`);
  });

  it('is nothing of the module for someone who imports the text functions only', async () => {
    const script = await bundle(
      `import { words } from 'attention-wasm/text'; console.log(words('a b'));`,
    );
    assert.ok(gzipped(script) < textBudget, `${gzipped(script)} bytes`);
    assert.doesNotMatch(script, /WebAssembly/);
  });

  it(`of the heat map is at most ${english(heatmapBudget)} bytes, and no WebAssembly`, async (t) => {
    const script = await bundle(
      `import * as picture from 'attention-wasm/heatmap'; globalThis.picture = picture;`,
    );
    t.diagnostic(`note: heat map ${english(gzipped(script))} bytes gzipped`);
    assert.ok(gzipped(script) <= heatmapBudget, `${gzipped(script)} bytes`);
    assert.doesNotMatch(script, /WebAssembly/);
  });

  it('of the translator is little beside its weights, and nothing for someone who does without it', async (t) => {
    const script = await bundle(
      `import { loadTranslator } from 'attention-wasm/translator'; loadTranslator();`,
      { external: ['./index.js'] },
    );
    const weight = gzipped(script);
    t.diagnostic(`note: translator ${english(weight)} bytes gzipped beside the library`);
    assert.ok(weight <= translatorBudget, `${weight} bytes`);
    assert.doesNotMatch(await bundle(everything), /safetensors|tokenizer/);
  });

  it('of models is little beside what they are made of, and nothing for someone who does without', async (t) => {
    const script = await bundle(
      `import { loadModel } from './web/lib/models.js'; globalThis.load = loadModel;`,
      { external: ['../index.js', '../safetensors.js', '@huggingface/tokenizers', ...lateNames] },
    );
    const weight = gzipped(script);
    t.diagnostic(
      `note: models ${english(weight)} bytes gzipped beside library, safetensors and tokenizers`,
    );
    assert.ok(weight <= modelsBudget, `${weight} bytes`);
    for (const part of late) {
      const partWeight = gzipped(
        await bundle(
          `import * as part from './web/lib/models/${part.slice(2)}'; globalThis.part = part;`,
        ),
      );
      t.diagnostic(`note: of models ${part} ${english(partWeight)} bytes gzipped`);
      assert.ok(partWeight <= latePartBudget, `${part}: ${partWeight} bytes`);
    }
    assert.doesNotMatch(await bundle(everything), /config\.json|relative_attention/);
  });

  it('of safetensors is what README says, as the others are', async () => {
    const script = await bundle(
      `import * as files from 'attention-wasm/safetensors'; globalThis.files = files;`,
    );
    assert.ok(gzipped(script) <= safetensorsBudget, `${gzipped(script)} bytes`);
    const readme = (await readFile(join(root, 'README.md'), 'utf8')).replace(/\s+/g, ' ');
    for (const [name, weight] of [
      ['it is at most', budget],
      ['`heatmap`', heatmapBudget],
      ['`translator`', translatorBudget],
      ['`models`', modelsBudget],
      ['`safetensors`', safetensorsBudget],
      ['`text`', textBudget],
    ]) {
      assert.ok(readme.includes(`${name} ${weight / 1000}`), `${name} ${weight / 1000} kB`);
    }
  });

  it('is nothing at all for someone who imports the library and does not use it', async () => {
    assert.equal(await bundle(`import { loadAttention } from 'attention-wasm';`), '');
  });

  it('holds the same wasm as the raw file, whatever the character set of the output', async () => {
    const wasm = await readFile(join(root, 'web/built/attention.wasm'));
    const text = await pack(wasm);
    for (const charset of ['utf8', 'ascii']) {
      assert.ok((await bundle(everything, { charset })).includes(text), charset);
    }
  });

  it('packs and unpacks any bytes: in Node.js, in engines that read base64 themselves, in others', async (t) => {
    const samples = [
      [],
      [0],
      [255],
      [...Array(256).keys()],
      Array(1000).fill(7),
      Array.from({ length: 4099 }, (_, index) => (index * index * 31 + (index >> 3)) & 255),
      Array.from({ length: 200_003 }, (_, index) => (index * index * 31 + (index >> 3)) & 255),
    ].map((sample) => Uint8Array.from(sample));
    const texts = await Promise.all(samples.map(pack));
    for (const text of texts) assert.match(text, /^[A-Za-z0-9+/]*=*$/);
    const unpackAll = async () => {
      for (const [index, sample] of samples.entries()) {
        const text = texts[index];
        assert.ok(
          Buffer.from(sample).equals(await unpack(text, sample.length)),
          `${sample.length} bytes`,
        );
      }
    };
    const { fromBase64 } = Uint8Array;
    t.after(() => (Uint8Array.fromBase64 = fromBase64));
    await unpackAll();
    hideBuiltinModules(t);
    for (const read of [undefined, (text) => new Uint8Array(Buffer.from(text, 'base64'))]) {
      Uint8Array.fromBase64 = read;
      await unpackAll();
    }
  });

  it('is unpacked by the engine; one that cannot gets a sentence, and core does without', async (t) => {
    hideBuiltinModules(t);
    const { DecompressionStream } = globalThis;
    t.after(() => (globalThis.DecompressionStream = DecompressionStream));
    delete globalThis.DecompressionStream;
    await assert.rejects(loadAttention(), {
      name: 'Error',
      message: /^attention-wasm needs DecompressionStream, .*Chrome 80, Firefox 113, Safari 16\.4/,
    });
    const wasm = await readFile(join(root, 'web/built/attention.wasm'));
    assert.equal((await loadFromCore({ wasm })).kernels, 'simd');
    // A load that failed can be tried again.
    globalThis.DecompressionStream = DecompressionStream;
    assert.equal((await loadAttention()).kernels, 'simd');
  });
});

describe('the built library', () => {
  for (const name of ['index.js', 'core.js']) {
    it(`${name} needs no eval, no import.meta, no top-level await and no other file`, async () => {
      const code = await readFile(join(root, 'web/built', name), 'utf8');
      assert.doesNotMatch(code, /\beval\s*\(|\bnew Function\b|\bFunction\s*\(\s*["'`]/);
      // As a classic script esbuild refuses top-level await and warns of import.meta; what it cannot
      // resolve is an error too.
      const { warnings } = await build({
        stdin: { contents: code, resolveDir: '/' },
        bundle: true,
        format: 'iife',
        write: false,
        logLevel: 'silent',
      });
      assert.deepEqual(
        warnings.map(({ text }) => text),
        [],
      );
    });
  }
});
