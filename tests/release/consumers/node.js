// Node.js: import, require, a worker, and common command-line flags.

import { beginning, kept } from './beginning.js';

const program = `
  import { Worker } from 'node:worker_threads';
  import { known } from './known.js';
  import { pooled } from './pooled.js';
  const worker = new Worker(new URL('worker.js', import.meta.url));
  const inWorker = new Promise((resolve) => worker.once('message', resolve));
  console.log([await known(), (await known()) === (await inWorker) ? 'same' : 'worker', await pooled()].join());
`;

const files = {
  'program.js': program,
  'worker.js': `
    import { parentPort } from 'node:worker_threads';
    import { known } from './known.js';
    parentPort.postMessage(await known());
  `,
  'beginning.js': beginning('program.js'),
  'beginning.cjs': beginning('program.cjs'),
  'program.cjs': `
    const { loadAttention } = require('attention-wasm');
    import('./known.js').then(async ({ known }) => console.log(await known(loadAttention)));
  `,
};

const flags = [
  [],
  ['--max-old-space-size=300', '--expose-gc'],
  ['--disallow-code-generation-from-strings', '--frozen-intrinsics'],
];

async function runWith(node, project) {
  const outcomes = [];
  for (const some of flags) {
    outcomes.push((await project.run(node, [...some, 'program.js'])).trim().split(','));
  }
  const [first] = outcomes;
  const required = (await project.run(node, ['program.cjs'])).trim();
  return [
    ...first,
    ...outcomes.map((outcome) => (outcome.join() === first.join() ? 'same' : outcome.join())),
    required === first[0] ? 'same' : `require: ${required}`,
    kept('program.js', await project.run(node, ['beginning.js'])),
    kept('program.cjs', await project.run(node, ['beginning.cjs'])),
  ];
}

const installed = (version) => ({
  packages: [`node@${version}`],
  files,
  run: (project) => runWith(project.at('node_modules/node/bin/node'), project),
});

export default {
  'node-20': { ...installed(20) },
  'node-22': { ...installed(22) },
  'node-24': { ...installed(24) },
};
