// The step `fuzz`: libFuzzer's targets and the file readers, starting from the saved corpus.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildJob } from './google_test.js';
import { root, run } from './processes.js';

/** A few inputs run in the build of the sanitizer tests; a long search has its own, whose library counts what is covered. */
const presetFor = (seconds) => (seconds ? 'fuzz' : 'sanitize');

/** Replays the corpus of a target, then looks for new inputs; those stay in .build. */
async function fuzzTarget(target, seconds) {
  // Without a time limit the inputs are the same in each run, so failures repeat; a long search goes on from what it found.
  const effort = seconds ? [`-max_total_time=${seconds}`] : ['-runs=3000', '-seed=1'];
  const corpus = join(root, 'tests/fuzz/corpus', target);
  const found = join(root, '.build/fuzz', seconds ? 'found' : 'repeated', target);
  if (!seconds) rmSync(found, { recursive: true, force: true });
  mkdirSync(found, { recursive: true });
  const program = join(root, '.build', presetFor(seconds), `${target}_fuzz`);
  let { code, output } = await run(program, ['-runs=0', corpus]);
  if (code === 0) {
    const limits = ['-max_len=300', '-timeout=20', '-len_control=0'];
    const reports = ['-print_final_stats=1', `-artifact_prefix=${found}/`];
    const minutes = 15 + (seconds ?? 0) / 60;
    const options = [...effort, ...limits, ...reports];
    ({ code, output } = await run(program, [...options, found, corpus], { minutes }));
  }
  const executed = output.match(/^stat::number_of_executed_units: (\d+)/m)?.[1] ?? 'no';
  const notes = [`${target}: ${executed} inputs`];
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output, notes };
}

async function fuzzReaders(seconds) {
  const args = ['tests/fuzz/readers.js', '--seconds', seconds];
  const { code, output } = await run(process.execPath, args, { minutes: 15 + seconds / 60 });
  const notes = [output.trimEnd()];
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output, notes };
}

// How long each target looks for new inputs in the nightly tier.
const nightlySeconds = '600';

/** Jobs of the step. `limit` is how long each target looks for new inputs; unset before nightly: 3,000 inputs, always the same. */
export function fuzz({ tier, seconds: limit }) {
  const seconds = limit ?? (tier === 'nightly' ? nightlySeconds : undefined);
  const build = buildJob(presetFor(seconds));
  const targets = ['attention', 'records'].map((target) => ({
    name: `fuzz ${target}`,
    needs: [build.name],
    run: () => fuzzTarget(target, seconds),
  }));
  // The step `node` has a short run of these.
  const readers = { name: 'fuzz readers', run: () => fuzzReaders(seconds) };
  return [build, ...targets, ...(seconds ? [readers] : [])];
}
