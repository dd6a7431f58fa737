// The digest over all fixtures on another architecture: every bit is that of this machine.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arm64Node } from '../support/js/arm64.js';
import { root } from '../support/js/package.js';

describe('ARM64', () => {
  it('has the digests of digest.test.js', () => {
    const [command, ...given] = arm64Node();
    const told = spawnSync(command, [...given, '-p', 'process.arch'], { encoding: 'utf8' });
    assert.deepEqual([told.stdout, told.stderr, told.status], ['arm64\n', '', 0]);
    const test = join(root, 'tests/vectors/digest.test.js');
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }; // its report is read here
    const { stdout, status } = spawnSync(command, [...given, test], { encoding: 'utf8', env });
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^# pass 2$/m);
  });
});
