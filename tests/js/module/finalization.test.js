// Engines without FinalizationRegistry, as workerd is for programs of before May 2025: every entry loads, and objects
// are freed by delete().

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { root, run } from '../../support/js/package.js';

const program = `
  delete globalThis.FinalizationRegistry;
  const { loadAttention } = await import('attention-wasm');
  await import('attention-wasm/core');
  const { loadAttentionPool } = await import('attention-wasm/pool');
  const { KeyValueCache, memoryBytes } = await loadAttention();
  const make = () => new KeyValueCache({ kvHeads: 1, keyDim: 64, valueDim: 64, capacity: 10_000 });
  make().delete();
  const before = memoryBytes();
  for (let made = 0; made < 20; made++) make().delete();
  const pool = await loadAttentionPool({ workers: 1 });
  const eye = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
  const layer = pool.MultiHeadAttention.fromWeights({ query: eye, key: eye, value: eye }, { heads: 1 });
  layer.delete();
  await pool.close();
  console.log(memoryBytes() === before);
`;

describe('an engine without FinalizationRegistry', () => {
  it('loads every entry, and frees what is deleted', async () => {
    const args = ['--input-type=module', '--eval', program];
    assert.equal(await run(process.execPath, args, root), 'true\n');
  });
});
