// What a page holds, after everything that can be thrown away has been: in Chromium its heaps, nodes and listeners, its
// worker's heap and WebAssembly memory; in Firefox, whose heaps cannot be asked, its processes' own memory.

import { readFileSync, readdirSync } from 'node:fs';

/** Resolves to { name: number }, bytes where nothing else is said. */
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
  // What is freed by one may hold what the next frees.
  for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
  return { heap: usedSize, arrays: backingStorageSize ?? 0 };
}

/** The memory that no other process shares, of a browser and all that it started. */
function processesOf(browser) {
  const parents = new Map();
  for (const id of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const [, parent] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ');
      parents.set(Number(id), Number(parent));
    } catch {
      // It has ended.
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
    return 0; // it has ended
  }
}
