// The worker's side of the pool: it does the tasks it is sent, one after the other, in a module of its own.

/** The memory of all results, to be handed over. */
const memoryOf = (results) => results.flatMap(Object.values).map(({ data }) => data.buffer);

/**
 * @param {Function} loadAttention of attention-wasm/core
 * @param {(answer: object, transfer: ArrayBuffer[]) => void} answer
 * @returns {(task: object) => Promise<void>} takes a message
 */
export function serveTasks(loadAttention, answer) {
  let heap;
  const tasks = {
    async start({ wasm, kernels, wipe }) {
      const api = await loadAttention({ wasm, kernels, wipe });
      ({ heap } = api[Symbol.for('attention-wasm')]);
      return [];
    },
    create: ({ name, fields }) => [heap.create(name, fields).object],
    call: ({ calls }) => calls.map(({ name, fields }) => heap.call(name, fields)),
    release({ object }) {
      heap.free(object);
      return [];
    },
  };

  const run = async ({ id, task, ...given }) => {
    try {
      const result = await tasks[task](given);
      answer({ id, result, error: undefined }, task === 'call' ? memoryOf(result) : []);
    } catch ({ name, message }) {
      answer({ id, error: { name, message } }, []);
    }
  };
  let before = Promise.resolve();
  return (task) => {
    before = before.then(() => run(task));
    return before;
  };
}
