// Ledger of failures: a file with a line of JSON for each failed test of any run,
//   { time, machine, commit, step, job, test }
// commit ends in '+' if files differ from it. A failed job without the name of a test (a crash, a linter) is a line without test.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { arch, cpus, hostname, platform } from 'node:os';
import { dirname } from 'node:path';

const machine = () => {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  return `${hostname()}, ${model}, ${processors.length} cores, ${platform()} ${arch()}, Node.js ${process.versions.node}`;
};

/** The commit of a checkout; undefined without git. */
function commitOf(folder) {
  const git = (...args) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  const { status, stdout } = git('rev-parse', '--short=12', 'HEAD');
  if (status !== 0) return undefined;
  return `${stdout.trim()}${git('status', '--porcelain').stdout === '' ? '' : '+'}`;
}

/** Appends the failed tests of a job to the file at `path`. result: of the job, with failedTests, if names are known. */
export function recordFailures(path, root, { step, name }, { failed, failedTests = [] }) {
  if (failed === 0) return;
  const facts = { time: new Date().toISOString(), machine: machine(), commit: commitOf(root) };
  const tests = failedTests.length > 0 ? failedTests : [undefined];
  const lines = tests.map((test) => `${JSON.stringify({ ...facts, step, job: name, test })}\n`);
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, lines.join(''));
}
