// Runs each task of the benchmark in its own Node.js process.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const worker = fileURLToPath(new URL('node_worker.js', import.meta.url));

/** Resolves to the last result, once the process has ended. */
function inProcess(task, args, report = () => {}) {
  return new Promise((resolve, reject) => {
    const child = fork(worker, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let last;
    let failure;
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
    child.on('message', ({ result, error }) => {
      if (error) failure = error;
      else report((last = result));
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (failure) reject(new Error(failure));
      else if (code === 0) resolve(last);
      else reject(new Error(`the process ended by ${signal ?? `code ${code}`}\n${said}`.trim()));
    });
    child.send({ task, args });
  });
}

export function openNode() {
  return {
    name: 'node',
    version: `Node ${process.versions.node}`,
    runShapes: (options, report) =>
      inProcess('runShapes', [{ ...options, runtime: 'node' }], report),
    compareInt8: (options, report) => inProcess('compareInt8', [options], report),
    coldStart: async (name) => ({ ms: await inProcess('coldStart', [name]) }),
    peakMemory: (...args) => inProcess('peakMemory', args),
    close: () => {},
  };
}
