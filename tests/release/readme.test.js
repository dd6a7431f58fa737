// The README is short; it names the entry points of the package, and with its guides the whole API: the functions and classes of
// loadAttention(), their methods, the exports of the entries, and the options of attention(). Its picture equals the output of
// its command, and every command of README and guides runs.

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
import { fillingFiles, namesFiles } from '../support/js/whole_models.js';
import { readGuides } from '../../web/reference/guides.js';

const readme = await readFile(join(root, 'README.md'), 'utf8');
const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const guides = readGuides();
const guide = (name) => guides.find(({ page }) => page === `${name}.html`).text;

/** The code in a text: blocks, and `names` in prose and tables. */
function codeIn(text) {
  const blocks = text.match(/^```.*\n[\s\S]*?^```$/gm) ?? [];
  const spans = text.replaceAll(/^```[\s\S]*?^```$/gm, '').match(/`[^`\n]+`/g);
  return [...blocks, ...spans].join('\n');
}

/** Names that are not in the code of a text. */
function unnamed(names, text) {
  const code = codeIn(text);
  const isNamed = (name) =>
    RegExp(`(?<![\\w$/-])${name.replaceAll('.', '\\.')}(?![\\w$/-])`).test(code);
  return names.filter((name) => !isNamed(name));
}

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

  it('has commands that run as they are, also in the guides', async () => {
    const texts = [readme, ...guides.map(({ text }) => text)];
    const lines = texts.flatMap((text) => text.match(/^ *npx attention-wasm .*$/gm) ?? []);
    assert.ok(lines.length >= 10, `${lines.length}`);
    const folder = await mkdtemp(join(tmpdir(), 'attention-wasm-readme-'));
    try {
      // FOLDER, ./my-model and ./gpt2 are models; npx runs the built command.
      const models = { FOLDER: fillingFiles(), 'my-model': fillingFiles(), gpt2: namesFiles() };
      for (const [name, files] of Object.entries(models)) {
        await mkdir(join(folder, name));
        for (const [file, content] of Object.entries(files)) {
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

  it('names every entry of the package', () => {
    const typed = Object.keys(exports).filter((path) => exports[path].types);
    const names = typed.map((path) => path.replace(/^\./, 'attention-wasm'));
    assert.deepEqual(unnamed(names, readme), []);
  });

  it('has at most 180 lines, and links to every guide', () => {
    assert.ok(readme.split('\n').length <= 180);
    const missing = guides.filter(({ file }) => !readme.includes(file));
    assert.deepEqual(
      missing.map(({ file }) => file),
      [],
    );
  });
});

describe('the changelog', () => {
  it('has a line a change, of at most 250 characters', async () => {
    const changelog = await readFile(join(root, '.github/CHANGELOG.md'), 'utf8');
    const changes = Array.from(changelog.matchAll(/^- (.*)$/gm), ([, change]) => change);
    assert.ok(changes.length > 50, `${changes.length}`);
    assert.deepEqual(
      changes.filter((change) => change.length > 250),
      [],
    );
  });
});

describe('README and guides', () => {
  const everything = [readme, ...guides.map(({ text }) => text)].join('\n');
  const calls = guide('attention') + guide('layers');

  it('name all that loadAttention() gives', async () => {
    const names = Object.keys(await loadAttention());
    assert.ok(names.length > 15);
    assert.deepEqual(unnamed(names, calls), []);
  });

  it('name what its classes can do', async () => {
    const api = await loadAttention();
    const classes = Object.values(api).filter((thing) => /^class\b/.test(String(thing)));
    assert.ok(classes.length >= 4);
    const names = new Set(classes.flatMap(namesOfClass));
    for (const name of ['forward', 'append', 'fromTorch', 'delete'])
      assert.ok(names.has(name), name);
    assert.deepEqual(unnamed([...names], calls), []);
  });

  it('name every file of the package, and what its entries export', async () => {
    const entries = Object.keys(exports)
      .filter((path) => path !== './package.json')
      .map((path) => path.replace(/^\./, 'attention-wasm'));
    assert.deepEqual(unnamed(entries, everything), []);
    for (const entry of entries.filter(
      (name) => !/\.(wasm|safetensors|json)$|-worker$/.test(name),
    )) {
      assert.deepEqual(unnamed(Object.keys(await import(entry)), everything), [], entry);
    }
  });

  it('name every option of attention()', async () => {
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
    assert.deepEqual(unnamed(options, guide('attention')), []);
  });
});
