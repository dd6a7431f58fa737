// Values of the state from outside: links, browser history, file names. An invalid value counts as missing, also one
// that names an inherited property of objects.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddress, readLongTexts, writeAddress } from '../../web/demo/page/address.js';
import { fields, initialState } from '../../web/demo/state_fields.js';
import { kindOf } from '../../web/demo/worker/sources/files/file_kind.js';
import { hostileNames } from '../support/js/hostile_names.js';

const texts = [
  'source',
  'text',
  'context',
  'french',
  'begin',
  'part',
  'file',
  'otherText',
  'learn',
  'pairs',
  'difference',
];

describe('a link', () => {
  it('gives no field a value that is inherited', () => {
    for (const name of Object.keys(fields)) {
      for (const given of hostileNames) {
        const state = readAddress(`#${name}=${encodeURIComponent(given)}`);
        const expected = texts.includes(name) ? given : initialState[name];
        assert.deepEqual(state, { ...initialState, [name]: expected }, `${name}=${given}`);
        assert.deepEqual(structuredClone(state), state);
      }
    }
  });

  it('names no field that is inherited', () => {
    for (const name of hostileNames) {
      assert.deepEqual(readAddress(`#${encodeURIComponent(name)}=yes`), initialState, name);
    }
  });

  it('has boolean switches', () => {
    for (const [given, value] of Object.entries({ yes: true, no: false })) {
      assert.equal(readAddress(`#causal=${given}`).causal, value);
    }
    assert.equal(writeAddress(readAddress('#causal=no&merge=no')), '#causal=no&merge=no');
  });

  it('names files only where they are what is drawn', () => {
    const files = readAddress('#source=files&file=q.npy/k.npy');
    assert.equal(files.file, 'q.npy/k.npy');
    assert.deepEqual(readAddress(writeAddress(files)), files);
    assert.equal(writeAddress({ ...files, source: 'ngrams' }), '#source=ngrams');
  });

  it('shows the lookup table in its mode only', () => {
    const read = (part) => {
      const lookup = { query: 'tea', entries: [['tea', '2']], temperature: 1, ...part };
      return readAddress(`#lookup=${encodeURIComponent(JSON.stringify(lookup))}`).lookup;
    };
    assert.deepEqual(read({ temperature: 2 }).temperature, 2);
    for (const temperature of ['1', [1], true, null, 0, 101, { valueOf: 1 }]) {
      assert.equal(read({ temperature }), initialState.lookup, JSON.stringify(temperature));
    }
    for (const part of [{ query: ['tea'] }, { entries: { length: 1 } }, { entries: [['tea']] }]) {
      assert.equal(read(part), initialState.lookup, JSON.stringify(part));
    }
    for (const whole of ['null', '[]', '"tea"', '{"__proto__":{"query":"a"}}']) {
      assert.equal(readAddress(`#lookup=${whole}`).lookup, initialState.lookup, whole);
    }
  });
});

describe('texts in the browser history', () => {
  it('are texts', () => {
    const long = 'a'.repeat(50_000);
    const read = (longTexts) => readLongTexts({ longTexts });
    assert.deepEqual(read({ text: long, french: 'b' }), { text: long, french: 'b' });
    for (const value of [1, null, ['a'], { length: 1 }, true]) {
      assert.deepEqual(read({ text: value, context: 'c' }), { context: 'c' });
    }
    assert.deepEqual(read({ causal: 'constructor', lookup: 'x', view: 1 }), {});
    for (const state of [
      null,
      undefined,
      7,
      'text',
      [],
      { longTexts: 'abc' },
      { longTexts: null },
    ]) {
      assert.deepEqual(readLongTexts(state), {});
    }
  });
});

describe('a file', () => {
  it('has no format named like an inherited property', async () => {
    for (const name of hostileNames) {
      const { kind } = await kindOf(new File(['tea 1 2\n'], `vectors.${name}`));
      assert.equal(kind, null, name);
    }
  });
});
