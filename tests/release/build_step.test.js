// A build step is skipped if and only if its inputs and outputs have not changed since its last run.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { runStep } from '../../web/build_step.js';

describe('a step of the build', () => {
  let root;
  let step;
  const at = (...parts) => join(root, ...parts);

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'attention-step-'));
    await mkdir(at('source/deep'), { recursive: true });
    await writeFile(at('source/deep/a.txt'), 'one');
    const make = async () =>
      new Map([
        [at('out/copy.txt'), await readFile(at('source/deep/a.txt'))],
        [at('out/deep/fixed.txt'), 'fixed'],
      ]);
    const paths = { inputs: [at('source'), at('missing')], folders: [at('out')] };
    step = { root, stamp: at('stamps/step.json'), ...paths, make };
    assert.equal(await runStep(step), true);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  /** Runs the step twice: the first run builds, the second is skipped. */
  async function assertStale() {
    assert.equal(await runStep(step), true);
    assert.equal(await runStep(step), false);
    assert.equal(await readFile(at('out/deep/fixed.txt'), 'utf8'), 'fixed');
  }

  it('is skipped when nothing changed, regardless of modification times', async () => {
    assert.equal(await runStep(step), false);
    await utimes(at('source/deep/a.txt'), 1, 1);
    assert.equal(await runStep(step), false);
  });

  it('runs again after an input changed (also in equal length), was added or removed', async () => {
    await writeFile(at('source/deep/a.txt'), 'two');
    await assertStale();
    assert.equal(await readFile(at('out/copy.txt'), 'utf8'), 'two');
    await writeFile(at('source/b.txt'), '');
    await assertStale();
    await rm(at('source/b.txt'));
    await assertStale();
    await writeFile(at('missing'), '');
    await assertStale();
  });

  it('runs again after an output was deleted or edited, and removes other files', async () => {
    await rm(at('out/deep'), { recursive: true });
    await assertStale();
    await writeFile(at('out/deep/fixed.txt'), 'FIXED');
    await assertStale();
    await writeFile(at('out/other.txt'), '');
    await assertStale();
    assert.ok(!existsSync(at('out/other.txt')));
  });

  it('runs again after it failed', async () => {
    await writeFile(at('source/deep/a.txt'), 'three');
    const failing = { ...step, make: () => Promise.reject(new Error('no')) };
    await assert.rejects(runStep(failing), /^Error: no$/);
    await writeFile(at('source/deep/a.txt'), 'one');
    await assertStale();
  });
});
