// BERT-base and GPT-2 small with int8 weights beside onnxruntime-web's 8 bits (q8, as transformers.js' converter writes
// them) and float32. Contenders take turns; errors are RMS of the difference / RMS of the expected numbers.
import { decoded, generated, openSessions, prompt } from './decoding.js';
import { bertHidden, gpt2Logits } from './int8_reference.js';
import { bert, gpt2, seededTensors } from './model_shapes.js';
import { bertGraph, gpt2Graph } from './onnx_models.js';

const inNode = typeof process === 'object';
const entry = new URL(`../../web/built/models${inNode ? '.node' : ''}.js`, import.meta.url);

/** The first row of each storage type is the baseline of the others. */
const contenders = [
  { name: 'attention-wasm, int8', storage: 'int8' },
  { name: 'onnxruntime-web, q8', kind: 'q8', threads: 1 },
  { name: 'onnxruntime-web, q8, 2 threads', kind: 'q8', threads: 2 },
  { name: 'attention-wasm, float32', storage: 'float32' },
  { name: 'onnxruntime-web, float32', kind: 'fused', threads: 1 },
  { name: 'onnxruntime-web, float32, 2 threads', kind: 'fused', threads: 2 },
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

/** Each contender with `run(input)` → numbers, or for GPT-2 an iterator of its tokens. */
async function openAll(shape, graphOf, runModel, runSession) {
  const { loadModel } = await import(entry);
  const tensors = seededTensors(shape);
  const opened = [];
  for (const { name, storage, kind, threads } of contenders) {
    if (storage) {
      const source = { config: shape.config, weights: tensors };
      const model = await loadModel(source, { weights: storage });
      const run = (...input) => runModel(model, ...input);
      opened.push({ name, model, run, close: () => model.delete() });
    } else {
      const onnx = await sessionsWith(threads);
      const session = await onnx.open(graphOf(tensors, kind));
      const run = (...input) => runSession(onnx, session, ...input);
      opened.push({ name, onnx, session, run, close: () => session.release() });
    }
  }
  return { tensors, opened };
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
  const runModel = (model, ids) => model.run({ ids }).hidden.data;
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
  const { tensors, opened } = await openAll(bert, graphOf, runModel, runSession);
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
    const rows = opened.map(({ name }) => ({ name, ms: timesOf(times[name]) }));
    const errors = withErrors ? errorsOf(results, bertHidden(tensors, ids)) : undefined;
    await report({ what: `BERT-base, ${count} tokens`, rows, errors });
  }
  for (const { close } of opened) await close();
}

async function compareGpt2({ rounds, withErrors }, report) {
  const graphOf = gpt2Graph;
  const { tensors, opened } = await openAll(gpt2, graphOf, generated, decoded);
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
  const rows = opened.map(({ name }) => ({ name, ms: timesOf(times[name]) }));
  let errors;
  if (withErrors) {
    const ids = [...prompt, ...tokens];
    const results = {};
    for (const { name, model, onnx, session } of opened) {
      if (model) results[name] = model.run({ ids }).logits.data.slice(-gpt2.config.vocab_size);
      else for await (const { logits } of decoded(onnx, session, tokens)) results[name] = logits;
    }
    errors = errorsOf(results, gpt2Logits(tensors, ids));
  }
  await report({ what: 'GPT-2 small, one token', rows, errors });
  for (const { close } of opened) await close();
}

/**
 * @param {{ bert?: { counts: number[], rounds: number[] }, gpt2?: { rounds: number }, withErrors: boolean }} options
 * @param {(result: object) => unknown} report is called with { what, rows: { name, ms }[], errors? }
 */
export async function compareInt8({ bert: ofBert, gpt2: ofGpt2, withErrors }, report) {
  if (ofBert) await compareBert({ ...ofBert, withErrors }, report);
  if (ofGpt2) await compareGpt2({ ...ofGpt2, withErrors }, report);
}
