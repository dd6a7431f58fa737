// Process for one task of bench.js: sends its results as messages, then ends.

import { coldStart } from './cold_start.js';
import { compareInt8 } from './compare_int8.js';
import { peakMemory } from './peak_memory.js';
import { runShapes } from './run_shapes.js';

const send = (message) => new Promise((sent) => process.send(message, sent));

const tasks = {
  compareInt8: (options) => compareInt8(options, (result) => send({ result })),
  runShapes: (options) => runShapes(options, (result) => send({ result })),
  coldStart: async (name) => send({ result: await coldStart(name) }),
  peakMemory: async (...args) => send({ result: await peakMemory(...args) }),
};

process.once('message', async ({ task, args }) => {
  try {
    await tasks[task](...args);
  } catch (error) {
    await send({ error: error.message });
  }
  // Threads of peers would keep the process alive.
  process.exit();
});
