// The generators reproduce the committed files of the test vectors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { generate } from './generate.js';

const fixture = (name) => readFileSync(new URL(`./${name}`, import.meta.url));

describe('vector files', () => {
  it('are what the generator writes', () => {
    const made = generate();
    assert.equal(made.json, fixture('vectors.json').toString(), 'vectors.json');
    assert.ok(Buffer.from(made.bytes).equals(fixture('vectors.bin')), 'vectors.bin');
  });
});
