// BERT-base and GPT-2 small with int8 weights beside onnxruntime-web's 8 bits (q8, as transformers.js' converter writes
// them) and float32, with one thread and with two (ours: a pool of two workers). Contenders take turns; errors are RMS of
// the difference / RMS of the expected numbers.
import { decoded, generated, openSessions, prompt } from './decoding.js';
import { bertHidden, gpt2Logits } from './int8_reference.js';
import { bert, gpt2, seededTensors } from './model_shapes.js';
import { bertGraph, gpt2Graph } from './onnx_models.js';

const inNode = typeof process === 'object';
const entry = (name) =>
  import(new URL(`../../web/built/${name}${inNode ? '.node' : ''}.js`, import.meta.url));

/** `own`: the row to which a row is compared, its own type with as many threads. */
const contenders = [
  { name: 'attention-wasm, int8', storage: 'int8' },
  { name: 'onnxruntime-web, q8', kind: 'q8', threads: 1, own: 'attention-wasm, int8' },
  { name: 'attention-wasm, int8, 2 workers', storage: 'int8', workers: 2 },
  {
    ...{ name: 'onnxruntime-web, q8, 2 threads', kind: 'q8', threads: 2 },
    own: 'attention-wasm, int8, 2 workers',
  },
  { name: 'attention-wasm, float32', storage: 'float32' },
  { name: 'onnxruntime-web, float32', kind: 'fused', threads: 1, own: 'attention-wasm, float32' },
  { name: 'attention-wasm, float32, 2 workers', storage: 'float32', workers: 2 },
  {
    ...{ name: 'onnxruntime-web, float32, 2 threads', kind: 'fused', threads: 2 },
    own: 'attention-wasm, float32, 2 workers',
  },
];

const runtimes = new Map();
async function sessionsWith(threads) {
  if (!runtimes.has(threads)) runtimes.set(threads, await openSessions(threads));
  return runtimes.get(threads);
}

function relativeError(found, expected) {
  let [error, size] = [0, 0];
  expected.forEach((number, at) => {
    error += (found[at] - number) ** 2;
    size += number ** 2;
  });
  return Math.sqrt(error / size);
}

const pause = () => new Promise((done) => setTimeout(done, 30)); // threads that others woke fall asleep

/** Each contender with `run(input)` → numbers, or for GPT-2 an iterator of its tokens; `report` gets what is open. */
async function openAll(shape, graphOf, runModel, runSession, report) {
  const { loadModel } = await entry('models');
  const { loadAttentionPool } = await entry('pool');
  const tensors = seededTensors(shape);
  const pool = await loadAttentionPool({ workers: 2 });
  const opened = [];
  let graph = {};
  for (const { name, own, storage, workers, kind, threads } of contenders) {
    const start = performance.now();
    if (storage) {
      const source = { config: shape.config, weights: tensors };
      const options = { weights: storage, ...(workers && { pool }) };
      const model = await loadModel(source, options);
      const run = (...input) => runModel(model, ...input);
      opened.push({ name, own, model, run, close: () => model.delete() });
    } else {
      // Both numbers of threads open the same bytes.
      if (graph.kind !== kind) graph = { kind, bytes: graphOf(tensors, kind) };
      const onnx = await sessionsWith(threads);
      const session = await onnx.open(graph.bytes);
      const run = (...input) => runSession(onnx, session, ...input);
      opened.push({ name, own, onnx, session, run, close: () => session.release() });
    }
    await report({ opened: name, seconds: (performance.now() - start) / 1000 });
  }
  const close = async () => {
    for (const contender of opened) await contender.close();
    await pool.close();
  };
  return { tensors, opened, close };
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const timesOf = (times) => ({ min: Math.min(...times), median: median(times) });

/** Errors of the 8-bit contenders, of their results by name. */
function errorsOf(results, expected) {
  const float32 = results['attention-wasm, float32'];
  return Object.fromEntries(
    ['attention-wasm, int8', 'onnxruntime-web, q8'].map((name) => [
      name,
      {
        float32: relativeError(results[name], float32),
        ...(name === 'attention-wasm, int8' && { float64: relativeError(results[name], expected) }),
      },
    ]),
  );
}

async function compareBert({ counts, rounds, withErrors }, report) {
  const runModel = async (model, ids) => (await model.run({ ids })).hidden.data;
  const runSession = async (onnx, session, ids) => {
    const dims = [1, ids.length];
    const feeds = {
      ids: onnx.floats(ids, dims),
      positions: onnx.floats(ids.keys(), dims),
      types: onnx.floats(new Float32Array(ids.length), dims),
    };
    return (await session.run(feeds)).hidden.data;
  };
  const graphOf = (tensors, kind) => bertGraph(tensors, 'tokens', kind);
  const { tensors, opened, close } = await openAll(bert, graphOf, runModel, runSession, report);
  for (const [at, count] of counts.entries()) {
    const ids = Array.from({ length: count }, (_, n) => (n * 7919) % 30_522);
    const times = Object.fromEntries(opened.map(({ name }) => [name, []]));
    const results = {};
    for (let round = 0; round < rounds[at]; round++) {
      for (const { name, run } of opened) {
        await pause();
        const start = performance.now();
        results[name] = await run(ids);
        times[name].push(performance.now() - start);
      }
    }
    const rows = opened.map(({ name, own }) => ({ name, own, ms: timesOf(times[name]) }));
    // float64 takes minutes for more tokens.
    const errors =
      withErrors && count <= 128 ? errorsOf(results, bertHidden(tensors, ids)) : undefined;
    await report({ what: `BERT-base, ${count} tokens`, rows, errors });
  }
  await close();
}

async function compareGpt2({ rounds, withErrors }, report) {
  const graphOf = gpt2Graph;
  const { tensors, opened, close } = await openAll(gpt2, graphOf, generated, decoded, report);
  const times = Object.fromEntries(opened.map(({ name }) => [name, []]));
  const tokens = [];
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of opened) {
      await pause();
      for await (const { id, ms } of run()) {
        times[name].push(ms);
        if (round === 0 && name === 'attention-wasm, float32') tokens.push(id);
      }
    }
  }
  const rows = opened.map(({ name, own }) => ({ name, own, ms: timesOf(times[name]) }));
  let errors;
  if (withErrors) {
    const ids = [...prompt, ...tokens];
    const results = {};
    for (const { name, model, onnx, session } of opened) {
      if (model)
        results[name] = (await model.run({ ids })).logits.data.slice(-gpt2.config.vocab_size);
      else for await (const { logits } of decoded(onnx, session, tokens)) results[name] = logits;
    }
    errors = errorsOf(results, gpt2Logits(tensors, ids));
  }
  await report({ what: 'GPT-2 small, one token', rows, errors });
  await close();
}

/**
 * @param {{ bert?: { counts: number[], rounds: number[] }, gpt2?: { rounds: number }, withErrors: boolean }} options
 * @param {(result: object) => unknown} report is called with { opened, seconds } and with
 *   { what, rows: { name, own?, ms }[], errors? }
 */
export async function compareInt8({ bert: ofBert, gpt2: ofGpt2, withErrors }, report) {
  if (ofBert) await compareBert({ ...ofBert, withErrors }, report);
  if (ofGpt2) await compareGpt2({ ...ofGpt2, withErrors }, report);
}
