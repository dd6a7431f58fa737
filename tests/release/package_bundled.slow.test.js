// The packed package in bundled Node.js programs. The bundler does not copy the package's own files:
// the pool's worker, and the translator's weights and vocabulary.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { packAndInstall, run } from '../support/js/package.js';

// Large enough for workers; the results of the pool and of a direct call must be equal.
const pooled = `
  import { loadAttention } from 'attention-wasm';
  import { loadAttentionPool } from 'attention-wasm/pool';
  async function main() {
    const { attention } = await loadAttention();
    const pool = await loadAttentionPool({ workers: 2 });
    const data = Float32Array.from({ length: 8 * 256 * 32 }, (_, n) => Math.sin(n));
    const x = { data, dims: [1, 8, 256, 32] };
    const [one, other] = [attention(x, x, x), await pool.attention(x, x, x)];
    await pool.close();
    console.log(Buffer.compare(Buffer.from(one.output.data.buffer), Buffer.from(other.output.data.buffer)));
  }
  main().catch(({ message }) => console.log(message));
`;

const translated = (options) => `
  import { loadTranslator } from 'attention-wasm/translator';
  async function main() {
    const translator = await loadTranslator(${options});
    console.log(translator.translate('The red car is fast.').text);
  }
  console.log('loaded');
  main().catch(({ message }) => console.log(message));
`;

describe('a program bundled from the package, in Node', { timeout: 300_000 }, () => {
  let installed;
  let folder;

  before(async () => {
    installed = await packAndInstall();
    folder = await mkdtemp(join(tmpdir(), 'attention-bundled-'));
  });

  after(async () => {
    await installed?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** The output of a bundle of this program, run outside the package's folder. */
  async function printed(contents, format) {
    const outfile = join(folder, `bundle.${format === 'cjs' ? 'cjs' : 'mjs'}`);
    const options = { bundle: true, platform: 'node', minify: true, logLevel: 'silent' };
    const stdin = { contents, resolveDir: installed.folder };
    await build({ ...options, stdin, format, outfile });
    return run(process.execPath, [outfile], folder);
  }

  for (const format of ['esm', 'cjs']) {
    it(`has a pool, its workers made from the code that is there (${format})`, async () => {
      assert.equal(await printed(pooled, format), '0\n');
    });

    it(`says which files the translator lacks, and is not hurt otherwise (${format})`, async () => {
      const said = await printed(translated(''), format);
      assert.match(
        said,
        /^loaded\nthe package's file of \w+ could not be read: .+ If it is missing, pass loadTranslator\(\{ weights, tokenizer \}\): .*serverExternalPackages/,
      );
    });
  }

  it('translates with files that it has found by their names in the package', async () => {
    const file = (name) => JSON.stringify(new URL(`file://${join(folder, name)}`));
    for (const name of ['english_french.safetensors', 'tokenizer.json']) {
      const code = `console.log(require.resolve('attention-wasm/${name}'))`;
      const at = await run(process.execPath, ['-e', code], installed.folder);
      await cp(at.trim(), join(folder, name));
    }
    const options = `{ weights: new URL(${file('english_french.safetensors')}), tokenizer: new URL(${file('tokenizer.json')}) }`;
    const said = await printed(translated(options), 'esm');
    assert.equal(said, 'loaded\nLa voiture rouge est rapide.\n');
  });

  it('has a pool where a bundler has emptied the worker, or put another file in its place', async () => {
    const at = join(installed.folder, 'node_modules/attention-wasm/web/built/pool_worker.node.js');
    const program = join(installed.folder, 'pooled.mjs');
    await writeFile(program, pooled);
    for (const content of ['', '<!doctype html><title>Not found</title>']) {
      await writeFile(at, content);
      assert.equal(await run(process.execPath, [program], installed.folder), '0\n', content);
    }
  });
});
