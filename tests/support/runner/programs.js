// The steps that run a program of tests/release: consumers of the package, and the programs of the nightly tier.
import { join } from 'node:path';
import { check, run } from './processes.js';

const program = (name, args, minutes) => [
  process.execPath,
  [join('tests/release', `${name}.js`), ...args],
  { minutes },
];

// Plain Node.js, a bundler, a framework with a server.
const handful = [`node-${process.versions.node.split('.')[0]}`, 'vite-8-build', 'next'];

/** Consumer projects: each row of the printed table counts as a test. */
async function runConsumers(names) {
  const { code, output } = await run(...program('consumers', names, 120));
  const rows = output.match(/^\| [\w-]+ \|.*\|$/gm)?.slice(2) ?? []; // after the head and its rule
  const failed = rows.filter((row) => row.includes('FAILED')).length;
  return {
    passed: rows.length - failed,
    failed: failed || (code === 0 ? 0 : 1),
    output,
  };
}

export function consumers({ tier, paths }) {
  const names = paths.length > 0 || tier === 'nightly' ? paths : handful;
  return [{ name: 'consumers', needs: ['build'], seconds: 90, run: () => runConsumers(names) }];
}

/** A step of one program. Its exit code tells whether it passed; its output is shown. */
export function one(name, ...options) {
  return ({ paths }) => [
    {
      name,
      needs: ['build'],
      seconds: 600,
      run: async () => {
        const result = await check(program(name, paths.length > 0 ? paths : options, 600));
        return { ...result, notes: result.output.trimEnd().split('\n').slice(-12) };
      },
    },
  ];
}
