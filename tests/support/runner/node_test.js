// The steps `node` and `browsers`: files of Node's test runner, a job each.
//   *.test.js          in Node: the quick tier has all of these
//   *.slow.test.js     in Node, from the full tier on
//   *.browser.test.js  in browsers, from the full tier on; but smoke.browser.test.js is quick
//   *.nightly.test.js  in the nightly tier
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { failedInTap } from './failed_tests.js';
import { root, run, sources } from './processes.js';

const kindOf = (path) => path.match(/\.(slow|browser|nightly)\.test\.js$/)?.[1] ?? 'plain';

const isSmoke = (path) => path.endsWith('smoke.browser.test.js');

const chosen = {
  node: {
    quick: (path) => kindOf(path) === 'plain',
    full: (path) => ['plain', 'slow'].includes(kindOf(path)),
    nightly: (path) => kindOf(path) === 'nightly',
  },
  browsers: {
    quick: isSmoke,
    full: (path) => kindOf(path) === 'browser',
  },
};

/** Share of the runs of each property in the quick tier. */
const quickShare = { ATTENTION_PROPERTY_SHARE: '0.2' };

async function runFile(path, tier) {
  const tap = join(root, '.build/tap', `${path.replaceAll('/', '-')}.tap`);
  mkdirSync(dirname(tap), { recursive: true });
  rmSync(tap, { force: true });
  const reporters = [
    ['spec', 'stdout'],
    ['tap', tap],
  ].flatMap(([kind, to]) => [`--test-reporter=${kind}`, `--test-reporter-destination=${to}`]);
  const env = { ...process.env, ...(tier === 'quick' && quickShare) };
  const { code, output } = await run(process.execPath, [...reporters, path], { env });
  let report = '';
  try {
    report = readFileSync(tap, 'utf8');
  } catch {
    // The file ended before it reported anything.
  }
  const count = (word) => Number(report.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0);
  const passed = count('pass');
  const skipped = count('skipped') + count('todo');
  const failed = count('fail') + count('cancelled');
  const ranNone = passed + skipped + failed === 0;
  return {
    passed,
    failed: failed || (code === 0 && !ranNone ? 0 : 1),
    skipped,
    failedTests: failedInTap(report),
    output: ranNone ? `${output}${path} ran no test\n` : output,
    notes: [...report.matchAll(/^\s*# note: (.*)$/gm)].map(([, note]) => note),
  };
}

/** Jobs of a step, a file each: those of the tier, or those at or below the named paths. */
export function nodeTest(step) {
  return async ({ tier, paths }) => {
    const files = (await sources('tests', '.js')).filter((path) => path.endsWith('.test.js'));
    const named = paths.map((path) => relative(root, resolve(path)));
    const isNamed = (path) => named.some((name) => path === name || path.startsWith(`${name}/`));
    const isBrowser = (path) => kindOf(path) === 'browser';
    const wanted = files.filter((path) =>
      named.length > 0
        ? isNamed(path) && isBrowser(path) === (step === 'browsers')
        : (chosen[step][tier]?.(path) ?? false),
    );
    return wanted.map((path) => ({
      name: path,
      needs: ['build'],
      seconds: { browser: 30, slow: 10 }[kindOf(path)] ?? 3,
      run: () => runFile(path, tier),
    }));
  };
}
