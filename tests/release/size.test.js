// Download sizes of the library and its entry points, against limits far above the current sizes: they catch accidents.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { loadAttention } from 'attention-wasm';
import { build } from 'esbuild';
import { unpack } from '../../web/lib/module/unpack.js';
import { pack } from '../../web/pack.js';
import { downloadWeight } from '../bench/download_weight.js';
import { root } from '../support/js/package.js';

const budget = 135_000; // bytes: the whole library, bundled, minified, gzip -9

// In addition to the library.
const budgets = {
  pool: 11_700, // without models, and the workers' code, which is fetched only if their file cannot be started
  poolInOneFile: 42_000, // with the workers' side of models
  fused: 16_000, // with its module
  heatmap: 26_000,
  translator: 43_000, // with the model runtime, which a page with models and translator has once
  models: 86_000,
  modelsStatic: 115_000, // with all of their files
  modelsAndTranslator: 98_000,
  safetensors: 8_700,
  training: 98_000, // with a module of its own; nothing of the library
  text: 3_100,
  mergeWords: 2_500,
};
// Files of models that are fetched on demand.
const lateBudgets = {
  models_beams: 2_900,
  models_families: 15_000, // with the first model
  models_image: 2_900,
  models_vocabulary_files: 15_000, // of folders without tokenizer.json
};
const late = Object.keys(lateBudgets);
const pooledModelsBudget = 8_000; // the layers of a model on a pool, with edits and captures, fetched on demand
const library = './index.js';
const lateFiles = late.map((name) => `./${name}.js`);

const { getBuiltinModule } = process;

/** Hides Node.js's built-in modules, which other engines lack. */
function hideBuiltinModules(t) {
  delete process.getBuiltinModule;
  t.after(() => (process.getBuiltinModule = getBuiltinModule));
}

/** Makes DecompressionStream throw, as in the edge runtime of Next.js. */
function hideDecompression(t) {
  const { DecompressionStream } = globalThis;
  globalThis.DecompressionStream = function refused() {
    throw new Error('a Node.js API is used');
  };
  t.after(() => (globalThis.DecompressionStream = DecompressionStream));
}

const gzipped = (content) => gzipSync(content, { level: 9 }).length;
const english = (bytes) => bytes.toLocaleString('en');

/** A page's script bundled by esbuild. */
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

  const uses = {
    pool: [
      `import { loadAttentionPool } from 'attention-wasm/pool'; loadAttentionPool();`,
      [library, './pool_models.js', './pool_worker_code.js'],
    ],
    poolInOneFile: [
      `import { loadAttentionPool } from 'attention-wasm/pool'; loadAttentionPool();`,
      [library, './pool_models.js'],
    ],
    fused: [`import { fused } from 'attention-wasm/fused'; globalThis.fused = fused;`],
    heatmap: [`import * as picture from 'attention-wasm/heatmap'; globalThis.picture = picture;`],
    translator: [
      `import { loadTranslator } from 'attention-wasm/translator'; loadTranslator();`,
      [library, './models_families.js', './models_image.js', './models_vocabulary_files.js'], // never fetched by the translator
    ],
    models: [
      `import { loadModel } from 'attention-wasm/models'; globalThis.load = loadModel;`,
      [library, ...lateFiles],
    ],
    modelsStatic: [
      `import { loadModel } from 'attention-wasm/models-static'; globalThis.load = loadModel;`,
      [library],
    ],
    modelsAndTranslator: [
      `import { loadModel } from 'attention-wasm/models';
       import { loadTranslator } from 'attention-wasm/translator';
       globalThis.load = [loadModel, loadTranslator];`,
      [library, ...lateFiles],
    ],
    safetensors: [`import * as files from 'attention-wasm/safetensors'; globalThis.files = files;`],
    training: [
      `import { loadTraining } from 'attention-wasm/training'; globalThis.load = loadTraining;`,
    ],
    text: [`import * as text from 'attention-wasm/text'; globalThis.text = text;`],
    mergeWords: [
      `import { mergeWords } from 'attention-wasm/translator'; globalThis.merge = mergeWords;`,
    ],
  };
  const withoutModule = ['heatmap', 'safetensors', 'text', 'mergeWords'];

  for (const [name, most] of Object.entries(budgets)) {
    it(`of ${name} is at most ${english(most)} bytes beside the library`, async (t) => {
      const [contents, external = []] = uses[name];
      const script = await bundle(contents, { external });
      const weight = gzipped(script);
      t.diagnostic(`note: ${name} ${english(weight)} bytes gzipped of ${english(most)}`);
      assert.ok(weight <= most, `${weight} bytes`);
      if (withoutModule.includes(name)) assert.doesNotMatch(script, /WebAssembly/);
    });
  }

  // Small functions of attention-wasm/models, alone, and sweep(), with what runs a part of a model.
  const functionBudgets = {
    ...{ ablate: 1_500, knockout: 1_500, patch: 2_500, steer: 1_500, openFolder: 3_000 },
    ...{ compare: 3_000, headScores: 3_000, rollout: 3_000, sweep: 11_000 },
  };

  it('of each function of models is its own', async (t) => {
    for (const entry of ['models', 'models-static']) {
      const { loadModel, ...functions } = await import(`attention-wasm/${entry}`);
      assert.equal(typeof loadModel, 'function');
      assert.deepEqual(Object.keys(functions).sort(), Object.keys(functionBudgets).sort());
      for (const [name, most] of Object.entries(functionBudgets)) {
        const contents = `import { ${name} } from 'attention-wasm/${entry}'; globalThis.f = ${name};`;
        const script = await bundle(contents);
        const weight = gzipped(script);
        if (entry === 'models') t.diagnostic(`note: ${name} ${english(weight)} bytes gzipped`);
        assert.ok(weight <= most, `${name}: ${weight} bytes`);
        assert.doesNotMatch(script, /WebAssembly/, name);
      }
    }
  });

  it('is in README, RESULTS.md and the table of toolchains as it is, within a twentieth', async () => {
    const text = async (path) => readFile(join(root, path), 'utf8');
    const readme = await text('README.md');
    const results = await text('tests/bench/RESULTS.md');
    const tools = await text('tests/README.md');
    const bytes = (name) => readFile(join(root, 'web/built', name));
    const page = await downloadWeight([{ path: 'index.js', body: await bytes('index.js') }]);
    const fused = await bytes('fused.wasm');
    const numbers = (pattern, source) => pattern.exec(source).slice(1).map(Number);
    const cold = numbers(
      /^Cold start[^]*?^\| attention-wasm .*?\| +(\d+) kB \| +([\d.]+) kB \|$/m,
      results,
    );
    const onFused = numbers(
      /`fused\.wasm` has ([\d.]+) kB; .* downloads about (\d+) kB more/,
      results,
    );
    const table = numbers(
      /^\| 3\.1\.6 .*\| +([\d.]+) kB \| +([\d.]+) kB \| +([\d.]+) kB \|/m,
      tools,
    );
    const first = numbers(/\*\*([\d.]+) kB\*\*\s+to download \(gzipped\)/, readme);
    const fusedScript = await bundle(...[uses.fused].flat());
    const expected = [
      gzipped(await bundle(everything)),
      ...[page.raw, page.gzip, fused.length, gzipped(fusedScript)],
      ...[gzipped(await bundle(everything)), gzipped(await bytes('attention.wasm')), fused.length],
    ];
    [...first, ...cold, ...onFused, ...table].forEach((kilobytes, at) => {
      const found = expected[at] / 1000;
      assert.ok(Math.abs(kilobytes / found - 1) < 0.05, `${kilobytes} kB, but it is ${found}`);
    });
  });

  it('of each part of models that is fetched late is little', async (t) => {
    for (const [part, most] of Object.entries(lateBudgets)) {
      const weight = gzipped(
        await bundle(`import * as part from './web/built/${part}.js'; globalThis.part = part;`, {
          external: ['./models_runtime.js'],
        }),
      );
      t.diagnostic(`note: of models ${part} ${english(weight)} bytes gzipped`);
      assert.ok(weight <= most, `${part}: ${weight} bytes`);
    }
  });

  it(`of models on a pool is at most ${english(pooledModelsBudget)} bytes beside the pool`, async (t) => {
    const contents = `import * as part from './web/built/pool_models.js'; globalThis.part = part;`;
    const weight = gzipped(await bundle(contents, { external: [library] }));
    t.diagnostic(`note: pool_models ${english(weight)} bytes gzipped`);
    assert.ok(weight <= pooledModelsBudget, `${weight} bytes`);
  });

  it('is nothing of translator and models for someone who does without them', async () => {
    assert.doesNotMatch(
      await bundle(everything),
      /safetensors|tokenizer|config\.json|relative_attention/,
    );
  });

  it('is nothing at all for someone who imports the library and does not use it', async () => {
    assert.equal(await bundle(`import { loadAttention } from 'attention-wasm';`), '');
  });

  it('holds the same wasm as the raw file, whatever the character set of the output', async () => {
    const wasm = await readFile(join(root, 'web/built/attention.wasm'));
    for (const charset of ['utf8', 'ascii']) {
      const [text] = (await bundle(everything, { charset })).match(/[A-Za-z0-9+/]{50000,}=*/);
      assert.ok(wasm.equals(await unpack(text, wasm.length)), charset);
    }
  });

  it('packs and unpacks any bytes: in Node.js, in engines that read base64 or deflate themselves, in others', async (t) => {
    const samples = [
      [],
      [0],
      [255],
      [...Array(256).keys()],
      Array(1000).fill(7),
      Array.from({ length: 4099 }, (_, index) => (index * index * 31 + (index >> 3)) & 255),
      Array.from({ length: 200_003 }, (_, index) => (index * index * 31 + (index >> 3)) & 255),
    ].map((sample) => Uint8Array.from(sample));
    // pack() takes seconds for large samples, so zlib's encoder is used.
    const texts = await Promise.all(
      samples.map((sample) =>
        sample.length > 1000 ? deflateSync(sample).toString('base64') : pack(sample),
      ),
    );
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
    hideDecompression(t);
    await unpackAll();
  });

  it('is refused where the text ends early', async (t) => {
    hideBuiltinModules(t);
    const text = deflateSync(Uint8Array.of(1, 2, 3, 4)).toString('base64');
    await assert.rejects(unpack(text, 5), { message: 'the text has 4 bytes, expected 5' });
  });

  it('is unpacked without the help of the engine, too', async (t) => {
    hideBuiltinModules(t);
    hideDecompression(t);
    const { attention } = await loadAttention({ kernels: 'simd' });
    const eye = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
    assert.deepEqual(attention(eye, eye, eye).output.dims, [2, 2]);
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
