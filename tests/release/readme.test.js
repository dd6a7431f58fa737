// The README names everything there is: what loadAttention() gives, what its classes can do, the entries of the
// package and what they export, and the options of attention().

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { root } from '../support/js/package.js';

const readme = await readFile(join(root, 'README.md'), 'utf8');
const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

// What stands in code: blocks, and `names` in prose and tables.
const blocks = readme.match(/^```\w+\n[\s\S]*?^```$/gm);
const spans = readme.replaceAll(/^```[\s\S]*?^```$/gm, '').match(/`[^`\n]+`/g);
const code = [...blocks, ...spans].join('\n');

const isNamed = (name) => {
  return RegExp(`(?<![\\w$/-])${name.replaceAll('.', '\\.')}(?![\\w$/-])`).test(code);
};
const unnamed = (names) => names.filter((name) => !isNamed(name));

/** Names of a class: its own functions, and what its objects have up to Object. */
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
      .filter((path) => path !== './package.json')
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
    // The refusal of an unknown option lists those that there are.
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
