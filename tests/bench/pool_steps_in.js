// The time of each step of calls on a pool of two workers:
//
//   cut           the calling thread copies arguments, and creates tasks
//   send          its postMessage()
//   receive       until the worker begins
//   copy in, compute, copy out
//                 the worker's copies into and out of the module's memory, and the module
//   send columns, wait, join columns
//                 models: exchange of columns with the other worker, in shared memory or through ports
//   other         other JavaScript in the worker
//   answer        until the calling thread has the worker's answer
//   join          the calling thread assembles results
//
// Steps in workers are those of the worker that answers last, so that the sum of all is the time of the call. A call that is too
// small for workers is all join.
import { normalTensor, seeded } from '../support/js/random_tensors.js';
import { bert, gpt2, seededTensors } from './model_shapes.js';

const workerSteps = {
  'copy in': 'copyIn',
  compute: 'compute',
  'copy out': 'copyOut',
  'send columns': 'sendColumns',
  wait: 'wait',
  'join columns': 'joinColumns',
};
export const stepNames = [
  ...['cut', 'send', 'receive', ...Object.keys(workerSteps)],
  ...['other', 'answer', 'join'],
];

const now = () => performance.timeOrigin + performance.now();

/** Watches the messages to workers and their answers. */
class Watch {
  #events = [];

  /** A function that creates workers whose messages are watched; accepts(message): false to refuse one. */
  watched(createWorker, accepts = () => true) {
    return () => {
      const worker = createWorker();
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message, transfer) => {
        if (!accepts(message)) throw new TypeError('refused');
        const start = now();
        post(message, transfer);
        if (message.id !== undefined) {
          this.#events.push({ worker, id: message.id, start, end: now() });
        }
      };
      const answer = (message) => {
        if (message?.steps) this.#events.push({ worker, id: message.id, at: now(), ...message });
      };
      if (worker.on) worker.on('message', answer);
      else worker.addEventListener('message', ({ data }) => answer(data));
      return worker;
    };
  }

  /** The steps of the call between two times, from the events since the last call. */
  steps(start, end) {
    const times = Object.fromEntries(stepNames.map((name) => [name, 0]));
    let idle = start; // since when no worker has had a task
    let sent = [];
    let pending = 0;
    let phases = 0;
    for (const event of this.#events.splice(0)) {
      if (!event.steps) {
        if (pending++ === 0) {
          times[phases++ === 0 ? 'cut' : 'join'] += event.start - idle;
          sent = [];
        }
        sent.push(event);
      } else if (--pending === 0) {
        addPhase(times, sent, event);
        idle = event.at;
      }
    }
    times.join += end - idle;
    return { ...times, total: end - start };
  }
}

/** Adds the time from the first of the tasks in `sent` to the answer that arrives last. */
function addPhase(times, sent, { worker, id, at, steps }) {
  const own = sent.findIndex((task) => task.worker === worker && task.id === id);
  const before = sent.slice(0, own + 1);
  // A worker may begin before postMessage() returns, if other threads take the core.
  const end = Math.min(sent[own].end, steps.start);
  const sending = before.reduce((sum, task) => sum + Math.min(task.end, end) - task.start, 0);
  times.send += sending;
  times.cut += end - sent[0].start - sending;
  times.receive += steps.start - end;
  let timed = 0;
  for (const [name, of] of Object.entries(workerSteps)) {
    times[name] += steps[of];
    timed += steps[of];
  }
  times.other += steps.end - steps.start - timed;
  times.answer += at - steps.end;
}

const least = (list) => Math.min(...list);
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

function summaryOf(rounds) {
  return Object.fromEntries(
    [...stepNames, 'total'].map((name) => {
      const list = rounds.map((steps) => steps[name]);
      return [name, { least: least(list), median: median(list) }];
    }),
  );
}

async function measureCall(watch, call, rounds) {
  const all = [];
  for (let round = -3; round < rounds; round++) {
    watch.steps(0, 0);
    const start = now();
    await call();
    const steps = watch.steps(start, now());
    if (round >= 0) all.push(steps);
  }
  return summaryOf(all);
}

const attentionCase = (name, dims, options, rounds) => ({
  name,
  async measure({ pool, watch }) {
    const random = seeded(name);
    const inputs = ['query', 'key', 'value'].map(() => normalTensor(random, [1, ...dims]));
    return measureCall(watch, () => pool.attention(...inputs, options), rounds);
  },
});

const layerCase = {
  name: 'layer 512×768',
  async measure({ pool, watch }) {
    const random = seeded('layer');
    const matrix = () => normalTensor(random, [768, 768]);
    const weights = { query: matrix(), key: matrix(), value: matrix(), output: matrix() };
    const layer = pool.MultiHeadAttention.fromWeights(weights, { heads: 12 });
    const x = normalTensor(random, [512, 768]);
    const summary = await measureCall(watch, () => layer.forward(x), 20);
    layer.delete();
    return summary;
  },
};

/** Workers of a model that do not share memory: their columns go through ports. */
const withPorts = { suffix: ', ports', accepts: ({ memory }) => !memory };

const bertCase = (length, rounds, { suffix = '', accepts } = {}) => ({
  name: `BERT-base, ${length} tokens${suffix}`,
  accepts,
  async measure({ pool, watch, loadModel }) {
    const model = await loadModel({ config: bert.config, weights: seededTensors(bert) }, { pool });
    const ids = Array.from({ length }, (_, n) => (n * 7919) % 30_522);
    const summary = await measureCall(watch, () => model.run({ ids }), rounds);
    model.delete();
    return summary;
  },
});

const prompt = Array.from({ length: 16 }, (_, n) => (n * 7919) % 50_257);

const gpt2Case = ({ suffix = '', accepts } = {}) => ({
  name: `GPT-2, a token${suffix}`,
  accepts,
  async measure({ pool, watch, loadModel }) {
    const model = await loadModel({ config: gpt2.config, weights: seededTensors(gpt2) }, { pool });
    const rounds = [];
    let start;
    for await (const _ of model.generate({ ids: prompt }, { maxTokens: 40 })) {
      const end = now();
      const steps = watch.steps(start ?? 0, end);
      if (start !== undefined) rounds.push(steps);
      start = end;
    }
    model.delete();
    return summaryOf(rounds.slice(4));
  },
});

const cases = [
  attentionCase('12×128×64', [12, 128, 64], {}, 100),
  attentionCase('12×512×64', [12, 512, 64], {}, 40),
  attentionCase('12×512×64 causal', [12, 512, 64], { causal: true }, 40),
  attentionCase('8×1024×64', [8, 1024, 64], {}, 20),
  layerCase,
  bertCase(128, 10),
  bertCase(128, 10, withPorts),
  bertCase(512, 4),
  bertCase(512, 4, withPorts),
  gpt2Case(),
  gpt2Case(withPorts),
];

/**
 * @param {object} environment loadAttentionPool, loadModel, createWorker() of pool_steps_worker.js
 * @param {string} only cases whose names contain it
 * @param {(line: object) => unknown} report { name, steps }: by step, { least, median } in ms
 */
export async function measureSteps({ loadAttentionPool, loadModel, createWorker }, only, report) {
  for (const { name, accepts, measure } of cases) {
    if (!name.includes(only)) continue;
    const watch = new Watch();
    const pool = await loadAttentionPool({
      workers: 2,
      createWorker: watch.watched(createWorker, accepts),
    });
    await report({ name, steps: await measure({ pool, watch, loadModel }) });
    await pool.close();
  }
}
