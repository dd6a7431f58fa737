// Memory of a page after garbage collection: in Chromium its heaps, nodes and listeners, its
// worker's heap and WebAssembly memory; in Firefox, which does not report heaps, private memory of its processes.

import { readFileSync, readdirSync } from 'node:fs';

/** Resolves to { name: number }, in bytes unless the name has a unit. */
export const memoryOf = (name, page, browser) =>
  name === 'chromium' ? heapsOf(page) : processesOf(browser);

async function heapsOf(page) {
  const session = await page.createCDPSession();
  const own = await heapOf(session);
  const { nodes, jsEventListeners, documents } = await session.send('Memory.getDOMCounters');
  await session.detach();
  const held = {
    heap: own.heap,
    arrays: own.arrays,
    nodes,
    listeners: jsEventListeners,
    documents,
  };
  const [worker] = page.workers();
  const { heap, arrays } = await heapOf(worker.client);
  const wasm = await worker.evaluate(() =>
    globalThis.memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
  );
  return { ...held, 'worker’s heap': heap, 'its arrays': arrays, 'its wasm': wasm };
}

async function heapOf(session) {
  // Objects freed by one collection may have referenced objects that the next one frees.
  for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
  return { heap: usedSize, arrays: backingStorageSize ?? 0 };
}

/** Private memory of a browser and its child processes. */
function processesOf(browser) {
  const parents = new Map();
  for (const id of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const [, parent] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ');
      parents.set(Number(id), Number(parent));
    } catch {
      // The process has ended.
    }
  }
  const first = browser.process().pid;
  const isOurs = (id) => id === first || (parents.has(id) && isOurs(parents.get(id)));
  let own = 0;
  for (const id of [...parents.keys()].filter(isOurs)) own += privateOf(id);
  return { 'processes’ own': own };
}

function privateOf(id) {
  try {
    const lines = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8').matchAll(
      /^Private_\w+: +(\d+)/gm,
    );
    return Array.from(lines, ([, kilobytes]) => 1024 * Number(kilobytes)).reduce(
      (a, b) => a + b,
      0,
    );
  } catch {
    return 0; // the process has ended
  }
}
