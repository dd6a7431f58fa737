// The worker's side of the pool: runs tasks one after another, in its own instance of the module.
import { modelTasks } from './model_shard.js';
import { buffersIn } from './buffers_in.js';
import { minimumBytes } from './spent_memory.js';

/** Arrays of a task's arguments that the pool can use again. */
const spentOf = (calls) =>
  calls.flatMap(({ fields }) =>
    Object.values(fields)
      .map((field) => field?.data)
      .filter((data) => data instanceof Float32Array && data.byteLength >= minimumBytes),
  );

/**
 * @param {Function} loadAttention of attention-wasm/core
 * @param {(answer: object, transfer: ArrayBuffer[]) => void} answer
 * @param {(port: never) => { message: unknown } | undefined} [receiveNow] the next message, without an event
 * @returns {(task: object) => Promise<void>} a message listener, which runs tasks and ignores other messages
 */
export function serveTasks(loadAttention, answer, receiveNow) {
  let heap;
  const tasks = {
    __proto__: null,
    async start({ wasm, kernels, wipe }) {
      const api = await loadAttention({ wasm, kernels, wipe });
      ({ heap } = api[Symbol.for('attention-wasm')]);
      Object.assign(tasks, modelTasks(heap, answer, receiveNow));
      return [];
    },
    create: ({ name, fields }) => [heap.create(name, fields).object],
    call({ calls, spare }) {
      for (const array of spare ?? []) heap.released.retain(array);
      try {
        return calls.map(({ name, fields }) => heap.call(name, fields));
      } finally {
        heap.released.clear();
      }
    },
    release({ object }) {
      heap.free(object);
      return [];
    },
  };

  const run = async ({ id, task, ...message }) => {
    try {
      if (!tasks[task]) throw new Error(`the worker has no task '${task}'`);
      const result = await tasks[task](message);
      const spent = message.spare && spentOf(message.calls);
      answer({ id, result, spent, error: undefined }, buffersIn([result, spent]));
    } catch (error) {
      const { name, message = String(error) } = Object(error);
      answer({ id, error: { name, message } }, []);
    }
  };
  let before = Promise.resolve();
  return (task) => {
    if (typeof task?.run === 'number' && task.id === undefined) tasks.receive?.(task);
    // Messages for other listeners in the same worker have no numeric id.
    if (typeof task?.id !== 'number') return before;
    before = before.then(() => run(task));
    return before;
  };
}
