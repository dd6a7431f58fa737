// The API reference describes every export, with examples.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/js/package.js';
import { readGuides } from '../../web/reference/guides.js';
import { readTypes } from '../../web/reference/read_types.js';

const types = await readTypes();
const items = types.flatMap(({ name, sections }) =>
  sections.flatMap((section) => section.items.map((item) => ({ entry: name, ...item }))),
);

describe('the API reference', () => {
  it('has every entry of the package that has types', async () => {
    const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const typed = Object.keys(exports).filter((path) => exports[path].types);
    assert.deepEqual(
      types.map(({ name }) => name),
      typed.map((path) => path.replace(/^\./, 'attention-wasm')),
    );
    for (const { name, header } of types) assert.ok(header.text.length > 50, name);
  });

  it('has everything that the entries export', async () => {
    for (const { name, sections, borrowed } of types) {
      if (name.endsWith('-worker')) continue; // a worker's script, which listens
      const told = sections.flatMap((section) => section.items.map((item) => item.name));
      const exported = Object.keys(await import(name));
      assert.ok(exported.length > 0, name);
      assert.deepEqual(
        exported.filter((one) => ![...told, ...borrowed].includes(one)),
        [],
        name,
      );
    }
  });

  it('has every file of the examples in a guide, with fewer than 30 lines', async () => {
    const folder = join(root, 'web/reference/guides/examples');
    const shown = readGuides().flatMap(({ text }) =>
      Array.from(text.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm), ([, name, code]) => ({
        name,
        code,
      })),
    );
    const files = (await readdir(folder, { recursive: true })).filter((name) =>
      /\.\w+$/.test(name),
    );
    assert.ok(files.length > 10);
    for (const name of files) {
      const code = await readFile(join(folder, name), 'utf8');
      assert.ok(
        shown.some((one) => one.name === name && one.code === code),
        `${name} in no guide`,
      );
      assert.ok(code.split('\n').length <= 30, `${name} is long`);
    }
  });

  it('names the entry of which another has the exports', () => {
    const lenders = types.flatMap(({ name, lender }) => (lender ? [[name, lender.name]] : []));
    assert.deepEqual(lenders, [
      ['attention-wasm/core', 'attention-wasm'],
      ['attention-wasm/models-static', 'attention-wasm/models'],
    ]);
  });

  it('says of every function, class, type, option and property what it is', () => {
    const silent = items.flatMap((item) => {
      const own = item.members.filter(({ from, doc }) => !from && !doc.text);
      const names = own.map(({ anchor }) => `${item.entry} ${anchor}`);
      return item.doc.text ? names : [`${item.entry} ${item.anchor}`, ...names];
    });
    assert.deepEqual(silent, []);
  });

  it('has an example of every function and every class', () => {
    const callable = items.filter(({ kind }) => kind === 'function' || kind === 'class');
    assert.ok(callable.length > 30, `${callable.length}`);
    const shown = ({ doc, members }) =>
      doc.examples.length > 0 || members.some((member) => member.doc.examples.length > 0);
    assert.deepEqual(
      callable.filter((item) => !shown(item)).map(({ entry, name }) => `${entry} ${name}`),
      [],
    );
  });
});
