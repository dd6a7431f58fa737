// The steps `native`, `sanitize` and `wasm`: the C++ tests, built by a preset of tests/CMakePresets.json and run in shards.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findEmscripten } from '../../../web/emscripten.js';
import { failedInGoogleTest } from './failed_tests.js';
import { root, run, runAll } from './processes.js';

/** Configures and builds targets of a preset. */
async function buildPreset(preset) {
  const options = { cwd: join(root, 'tests'), env: process.env, minutes: 60 };
  /** @type {[command: string, args: string[]]} */
  const configure = ['cmake', ['--preset', preset]];
  if (preset === 'wasm') {
    const { emcmake, env } = findEmscripten(join(root, '.build/emscripten-cache'));
    options.env = env;
    configure[1].unshift(configure[0]);
    configure[0] = emcmake;
  }
  const { code, output } = await runAll([
    [...configure, options],
    ['cmake', ['--build', '--preset', preset], options],
  ]);
  return { passed: 0, failed: code === 0 ? 0 : 1, output };
}

/** A filter of GoogleTest; a plain word matches every name that contains it. */
const filterOf = (words) =>
  words.map((word) => (/^[\w/]+$/.test(word) ? `*${word}*` : word)).join(':');

/** The job that builds a preset; steps with the same preset share it. */
export const buildJob = (preset) => ({
  name: `${preset} build`,
  seconds: 120, // without a build folder
  run: () => buildPreset(preset),
});

async function runShard(preset, shard, shards, { tier, paths: filters }) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, GTEST_TOTAL_SHARDS: `${shards}`, GTEST_SHARD_INDEX: `${shard}` };
  const limits = { env, minutes: 30 };
  // Parameter sweeps are complete in the nightly tier, samples elsewhere.
  if (tier === 'nightly') env.ATTENTION_THOROUGH = '1';
  const program = join(root, '.build', preset, 'attention_tests');
  const options = ['--gtest_brief=1'];
  if (filters.length > 0) options.push(`--gtest_filter=${filterOf(filters)}`);
  const { code, output } = await (preset === 'wasm'
    ? run(process.execPath, [`${program}.js`, ...options], limits)
    : run(program, options, limits));
  const count = (pattern) => Number(output.match(pattern)?.[1] ?? 0);
  const ran = count(/^\[=+\] (\d+) tests? from .* ran\./m);
  if (ran === 0 && filters.length > 0 && code === 0) {
    const wanted = `${filters.join(', ')}: matches no name of a test; ${program} --gtest_list_tests lists them`;
    return { passed: 0, failed: 1, output: `${wanted}\n` };
  }
  const passed = count(/^\[ {2}PASSED {2}\] (\d+) tests?\./m);
  const failedTests = failedInGoogleTest(output);
  const failed = failedTests.length;
  const skipped = Math.max(0, ran - passed - failed);
  // A crash or a sanitizer report prints no count; the exit code shows it.
  return { passed, failed: failed || (code === 0 ? 0 : 1), skipped, failedTests, output };
}

/** Jobs that build a preset's tests and run them; arguments of the step are filters of GoogleTest. */
export function googleTest(preset) {
  return ({ tier, paths }) => {
    const build = buildJob(preset);
    // An odd number: tests of the two kernel implementations alternate, and each shard needs both. WebAssembly
    // has no environment variables, through which GoogleTest reads its shard.
    const isWhole = paths.length > 0 || preset === 'wasm';
    const shards = isWhole ? 1 : availableParallelism() | 1;
    const tests = Array.from({ length: shards }, (_, shard) => ({
      name: `${preset} tests ${shard + 1}/${shards}`,
      needs: [build.name],
      seconds: 30,
      run: () => runShard(preset, shard, shards, { tier, paths }),
    }));
    return [build, ...tests];
  };
}
