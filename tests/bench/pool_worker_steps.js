// Has the answers of the pool's worker, which is imported after this file, say how long its steps took. Functions of the engine
// are replaced, so that the library has no code for it.
const port = globalThis.process?.getBuiltinModule('node:worker_threads').parentPort;

const now = () => performance.timeOrigin + performance.now();

let own; // memory of the module
let depth = 0; // of timed functions: an inner one counts as its own step
let steps;
const begin = () => {
  steps = { copyIn: 0, compute: 0, copyOut: 0, sendColumns: 0, wait: 0, joinColumns: 0 };
};
begin();

/** A function that adds its time to a step. stepOf(this, arguments): the step's name, or undefined. */
function timed(run, stepOf) {
  return function (...values) {
    const step = depth === 0 && stepOf(this, values);
    if (!step) return run.apply(this, values);
    depth++;
    const start = now();
    try {
      return run.apply(this, values);
    } finally {
      steps[step] += now() - start;
      depth--;
    }
  };
}

// Columns of other workers are awaited from the time own columns were sent, or counted in shared memory, until the others'
// are copied.
let waitingSince;
function endWait() {
  if (waitingSince === undefined) return;
  steps.wait += now() - waitingSince;
  waitingSince = undefined;
}
const isOwn = (array) => array?.buffer === own?.buffer;
const { prototype } = Float32Array;
const typed = Object.getPrototypeOf(prototype);
prototype.set = timed(typed.set, (to, [from]) => {
  if (isOwn(to)) return 'copyIn';
  if (isOwn(from)) return 'copyOut';
  endWait();
  return 'joinColumns';
});
prototype.slice = timed(typed.slice, (array) => {
  if (isOwn(array)) return 'copyOut';
  if (array.buffer instanceof ArrayBuffer) return 'sendColumns';
  endWait();
  return 'joinColumns';
});
const { add } = Atomics;
Atomics.add = (...values) => {
  const before = add(...values);
  waitingSince = now();
  return before;
};

const post = timed(
  MessagePort.prototype.postMessage,
  (_, [message]) => message?.columns && 'sendColumns',
);
MessagePort.prototype.postMessage = function (...message) {
  post.apply(this, message);
  if (message[0]?.columns) waitingSince = now();
};

// Embind calls the module's functions through the module's table.
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...source) => {
  const instance = await instantiate(...source);
  const exports = Object.values(instance.exports ?? {});
  own = exports.find((value) => value instanceof WebAssembly.Memory) ?? own;
  return instance;
};
const wrapped = new WeakMap();
const { get } = WebAssembly.Table.prototype;
WebAssembly.Table.prototype.get = function (index) {
  const entry = get.call(this, index);
  if (entry && !wrapped.has(entry))
    wrapped.set(
      entry,
      timed(entry, () => 'compute'),
    );
  return entry && wrapped.get(entry);
};

let free = 0; // since when the worker has had no task
const began = new Map(); // by id
const receive = (message) => {
  if (typeof message?.id === 'number') began.set(message.id, now());
};
const answered = (message) => {
  if (typeof message?.id !== 'number') return message;
  const start = Math.max(began.get(message.id), free);
  began.delete(message.id);
  const withSteps = { ...message, steps: { ...steps, start, end: now() } };
  begin();
  return withSteps;
};

if (port) {
  const { on, postMessage } = port;
  port.on = (event, listener) =>
    on.call(port, event, (message) => {
      receive(message);
      return listener(message);
    });
  port.postMessage = (message, transfer) => {
    postMessage.call(port, answered(message), transfer);
    free = now();
  };
} else {
  const { addEventListener, postMessage } = globalThis;
  globalThis.addEventListener = (event, listener) =>
    addEventListener(event, (message) => {
      receive(message.data);
      return listener(message);
    });
  globalThis.postMessage = (message, transfer) => {
    postMessage(answered(message), transfer);
    free = now();
  };
}
