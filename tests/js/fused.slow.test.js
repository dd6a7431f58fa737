// The tests of the fused kernels in Node.js 24, from npm: Node.js 20 has no relaxed SIMD and proves the fallback only.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { root } from '../support/js/package.js';

const files = [
  'tests/js/fused.test.js',
  'tests/js/module/heap_wipe.test.js',
  'tests/vectors/determinism.slow.test.js',
];

it('fused kernels pass their tests in an engine with relaxed SIMD', () => {
  const { NODE_TEST_CONTEXT, ...env } = process.env; // else they would report to this test's parent
  const args = ['--yes', 'node@24', '--test', '--test-reporter=tap', ...files];
  const { status, stdout, stderr } = spawnSync('npx', args, { cwd: root, env, encoding: 'utf8' });
  assert.equal(status, 0, `${NODE_TEST_CONTEXT}${stdout}${stderr}`);
  assert.match(stdout, /\n# fail 0\n/);
});
