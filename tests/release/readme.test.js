// The README names the whole API: the functions and classes of loadAttention(), their methods, the entry points of the
// package and their exports, and the options of attention(). Its picture equals the output of its command.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { supportedTypes } from '../../web/lib/models/config/supported_types.js';
import { printed, program } from '../support/js/command.js';
import { root } from '../support/js/package.js';
import { fillingFiles } from '../support/js/whole_models.js';

const readme = await readFile(join(root, 'README.md'), 'utf8');
const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

// Text in code: blocks, and `names` in prose and tables.
const blocks = readme.match(/^```\w+\n[\s\S]*?^```$/gm);
const spans = readme.replaceAll(/^```[\s\S]*?^```$/gm, '').match(/`[^`\n]+`/g);
const code = [...blocks, ...spans].join('\n');

const isNamed = (name) => {
  return RegExp(`(?<![\\w$/-])${name.replaceAll('.', '\\.')}(?![\\w$/-])`).test(code);
};
const unnamed = (names) => names.filter((name) => !isNamed(name));

/** Names of a class: its static functions, and the properties of its objects up to Object. */
function namesOfClass(constructor) {
  const names = Object.getOwnPropertyNames(constructor);
  for (
    let prototype = constructor.prototype;
    prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    names.push(...Object.getOwnPropertyNames(prototype));
  }
  return names.filter((name) => !['constructor', 'length', 'name', 'prototype'].includes(name));
}

describe('the README', () => {
  it('says in ten lines what the package is not, and shows the page', async () => {
    const lines = readme.split('\n');
    assert.match(
      lines.slice(0, 10).join('\n'),
      /What it is not.*large models.*CPU.*float32.*trains/,
    );
    const [, picture] = /<img src="([^"]+\.png)"/.exec(lines.slice(0, 10).join('\n'));
    assert.ok((await readFile(join(root, picture))).length <= 150_000, picture);
  });

  it('shows the picture that its command writes', async () => {
    const [, file] = /<img src="([^"]+\.svg)"/.exec(readme);
    const [, text] = /^npx attention-wasm --svg "([^"]+)" > /m.exec(readme);
    const drawn = printed(['--svg', text]);
    assert.match(drawn, /^<svg [^]*<\/svg>\n$/);
    assert.equal(await readFile(join(root, file), 'utf8'), drawn, `${file} is another picture`);
  });

  it('has commands that run as they are, also in the guide to models', async () => {
    const guide = await readFile(join(root, 'web/lib/models/README.md'), 'utf8');
    const lines = [readme, guide].flatMap((text) => text.match(/^ *npx .*$/gm));
    assert.ok(lines.length >= 8);
    const folder = await mkdtemp(join(tmpdir(), 'attention-wasm-readme-'));
    try {
      // FOLDER and ./my-model are models; npx runs the built command.
      for (const name of ['FOLDER', 'my-model']) {
        await mkdir(join(folder, name));
        for (const [file, content] of Object.entries(fillingFiles())) {
          await writeFile(join(folder, name, file), content);
        }
      }
      const script = `npx() { [ "$1" = attention-wasm ] && shift && "$NODE" "$COMMAND" "$@"; }`;
      const env = { PATH: process.env.PATH, NODE: process.execPath, COMMAND: program };
      for (const line of lines) {
        const ran = spawnSync('sh', ['-c', `${script}\n${line}`], { cwd: folder, env });
        assert.equal(`${ran.stderr}`, '', line);
        assert.equal(ran.status, 0, line);
        const file = / > (\S+)/.exec(line)?.[1];
        const output = file ? await readFile(join(folder, file)) : ran.stdout;
        assert.ok(output.length > 100, line);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('counts the model types that load', () => {
    const [, count] = /\[(\d+) model types\]/.exec(readme);
    const types = Object.values(supportedTypes).flatMap((names) => Object.keys(names));
    assert.equal(Number(count), types.length);
  });

  it('has tables of at most 120 columns', () => {
    const wide = readme.split('\n').filter((line) => line.startsWith('|') && line.length > 120);
    assert.deepEqual(wide, []);
  });

  it('names all that loadAttention() gives', async () => {
    const names = Object.keys(await loadAttention());
    assert.ok(names.length > 15);
    assert.deepEqual(unnamed(names), []);
  });

  it('names what its classes can do', async () => {
    const api = await loadAttention();
    const classes = Object.values(api).filter((thing) => /^class\b/.test(String(thing)));
    assert.ok(classes.length >= 4);
    const names = new Set(classes.flatMap(namesOfClass));
    for (const name of ['forward', 'append', 'fromTorch', 'delete'])
      assert.ok(names.has(name), name);
    assert.deepEqual(unnamed([...names]), []);
  });

  it('names every entry of the package, and what it exports', async () => {
    const entries = Object.keys(exports)
      .filter((path) => path !== './package.json' && !path.endsWith('?module'))
      .map((path) => path.replace(/^\./, 'attention-wasm'));
    assert.deepEqual(unnamed(entries), []);
    for (const entry of entries.filter(
      (name) => !/\.(wasm|safetensors|json)$|-worker$/.test(name),
    )) {
      assert.deepEqual(unnamed(Object.keys(await import(entry))), [], entry);
    }
  });

  it('names every option of attention()', async () => {
    const { attention } = await loadAttention();
    const x = { data: Float32Array.of(1), dims: [1, 1] };
    let names = [];
    // The error for an unknown option lists the known ones.
    assert.throws(
      () => attention(x, x, x, { unheardOf: 1 }),
      ({ message }) => {
        names = message.match(/\b[a-z]\w+\b/gi);
        return message.includes('unheardOf');
      },
    );
    const options = names.slice(names.indexOf('heads'));
    assert.ok(options.includes('softcap') && options.includes('logSumExp'), names.join(' '));
    assert.deepEqual(unnamed(options), []);
  });
});
