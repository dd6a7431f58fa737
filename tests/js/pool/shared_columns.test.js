// Memory in which the workers of a run exchange columns. Several workers: tests/js/models/pooled_model.test.js.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { ReleasedMemory } from '../../../web/lib/module/released_memory.js';
import { RunMemory } from '../../../web/lib/pool/run_memory.js';
import { endRun, sharedMemory, SharedColumns } from '../../../web/lib/pool/shared_columns.js';

const memory = new RunMemory(new ReleasedMemory(), [2, 5]);
const step = (...numbers) => [{ data: Float32Array.from(numbers), ends: [numbers.length / 2] }];

describe('memory that workers share', () => {
  it('has the columns of two steps, and gives copies', () => {
    const shared = sharedMemory(1, 4);
    const columns = new SharedColumns(shared, 0, 1);
    const written = () => [...new Float32Array(shared, 4)];
    const [first] = columns.allGather(step(1, 2, 3, 4), memory);
    columns.allGather(step(5, 6), memory);
    assert.deepEqual(written(), [1, 2, 3, 4, 5, 6, 0, 0]);
    columns.allGather(step(7, 8), memory);
    assert.deepEqual(written(), [7, 8, 3, 4, 5, 6, 0, 0]);
    assert.deepEqual(first, { data: Float32Array.of(1, 2, 3, 4), dims: [2, 2] });
    assert.ok(first.data.buffer instanceof ArrayBuffer);
  });

  it('ends with the run', () => {
    const shared = sharedMemory(2, 4);
    endRun(shared, 2);
    const columns = new SharedColumns(shared, 1, 2);
    const own = [{ data: Float32Array.of(1, 2), ends: [1, 2] }];
    assert.throws(() => columns.allGather(own, memory), /the run was aborted/);
  });
});
