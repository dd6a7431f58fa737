// Ledger of failures: names of failed tests in the reports of Node's test runner and of GoogleTest, and the lines of the file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

import { failedInGoogleTest, failedInTap } from '../support/runner/failed_tests.js';
import { recordFailures } from '../support/runner/failure_ledger.js';

const failing = `
import { describe, it } from 'node:test';
const fail = () => { throw new Error('not ok 1 - a message'); };
describe('a suite', () => {
  it('passes', () => {});
  it('fails #1 \\\\ 2', fail);
  describe('a suite in it', () => { it('fails too', fail); it('passes', () => {}); });
  it('passes after them', () => {});
});
it('fails alone', fail);
it('has a subtest', async (t) => { await t.test('that fails', fail); });
describe('a suite whose body fails', fail);
`;

const googleTest = `[==========] Running 5 tests from 2 test suites.
[  FAILED  ] Rotary.Turns (12 ms)
[  FAILED  ] Kernels/Gemm.HasTheBits/simd, where GetParam() = simd (0 ms)
[==========] 5 tests from 2 test suites ran. (20 ms total)
[  PASSED  ] 3 tests.
[  FAILED  ] 2 tests, listed below:
[  FAILED  ] Rotary.Turns
[  FAILED  ] Kernels/Gemm.HasTheBits/simd, where GetParam() = simd
`;

describe('the ledger of failures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  after(() => rmSync(folder, { recursive: true }));

  it("has the names of tests that failed in Node's test runner", () => {
    const path = join(folder, 'failing.mjs');
    writeFileSync(path, failing);
    const env = { ...process.env };
    delete env.NODE_TEST_CONTEXT; // of this run, whose reports are not TAP
    const args = ['--test-reporter=tap', path];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    assert.deepEqual(failedInTap(stdout), [
      'a suite > fails #1 \\ 2',
      'a suite > a suite in it > fails too',
      'fails alone',
      'has a subtest > that fails',
      'a suite whose body fails',
    ]);
    assert.deepEqual(failedInTap(''), []);
  });

  it('has the names of tests that failed in GoogleTest, once', () => {
    assert.deepEqual(failedInGoogleTest(googleTest), [
      'Rotary.Turns',
      'Kernels/Gemm.HasTheBits/simd',
    ]);
  });

  it('has a line for each failed test, and one for a job without names', () => {
    const path = join(folder, 'new', 'failures.jsonl');
    const record = (job, result) => recordFailures(path, folder, job, result);
    record({ step: 'node', name: 'a.test.js' }, { failed: 2, failedTests: ['one', 'two'] });
    record({ step: 'node', name: 'b.test.js' }, { failed: 0 });
    record({ step: 'lint', name: 'eslint' }, { failed: 1 });
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      records.map(({ step, job, test }) => [step, job, test]),
      [
        ['node', 'a.test.js', 'one'],
        ['node', 'a.test.js', 'two'],
        ['lint', 'eslint', undefined],
      ],
    );
    for (const { time, machine, commit } of records) {
      assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      assert.match(machine, /Node\.js \d/);
      assert.equal(commit, undefined); // the folder is no checkout
    }
  });

  it('names the commit of a checkout, and whether files differ from it', () => {
    const checkout = mkdtempSync(join(folder, 'checkout-'));
    const git = (...args) => {
      const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
      const { status, stdout } = spawnSync('git', [...identity, ...args], {
        cwd: checkout,
        encoding: 'utf8',
      });
      assert.equal(status, 0, `git ${args.join(' ')}`);
      return stdout.trim();
    };
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'a commit');
    const path = join(folder, 'of-checkout.jsonl');
    const job = { step: 'node', name: 'a.test.js' };
    recordFailures(path, checkout, job, { failed: 1, failedTests: ['one'] });
    writeFileSync(join(checkout, 'file'), 'a change');
    recordFailures(path, checkout, job, { failed: 1, failedTests: ['one'] });
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const commit = git('rev-parse', '--short=12', 'HEAD');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).commit),
      [commit, `${commit}+`],
    );
  });
});
