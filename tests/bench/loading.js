// Loading from a file, float32 as stored and int8, which take turns: BERT-base's shape (out × in, 440 MB) and GPT-2
// small's (in × out). Minimum and median of the whole; the stages reading and quantizing by themselves; and the longest
// time without progress.
//
//   node tests/bench/loading.js [bert] [gpt2]
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAttention } from '../../web/built/index.js';
import { loadModel } from '../../web/built/models.node.js';
import { openSafetensors, writeSafetensors } from '../../web/built/safetensors.js';
import { quantizeRows } from '../../web/lib/models/run/weight_storage.js';
import { bert, gpt2, seededTensors } from './model_shapes.js';

const rounds = 5;

const sorted = (times) => times.toSorted((a, b) => a - b);
const minimum = (times) => sorted(times)[0];
const median = (times) => sorted(times)[times.length >> 1];
const shown = (times) => `${minimum(times).toFixed(0)} ms (median ${median(times).toFixed(0)})`;

/** Loads a model in an instance of its own; the time, and the longest between two reports of progress. */
async function timeOf({ config }, path, weights) {
  const api = await loadAttention({ kernels: 'simd' });
  const source = await open(path);
  const start = performance.now();
  let last = start;
  let pause = 0;
  const onProgress = () => {
    const now = performance.now();
    pause = Math.max(pause, now - last);
    last = now;
  };
  const model = await loadModel({ config, weights: source }, { weights, api, onProgress });
  const end = performance.now();
  model.delete();
  await source.close();
  return { ms: end - start, pause: Math.max(pause, end - last) };
}

async function readingTime(path) {
  const source = await open(path);
  const start = performance.now();
  const file = await openSafetensors(source);
  for (const name of file.names) await file.read(name);
  const end = performance.now();
  await source.close();
  return end - start;
}

function quantizingTime(api, tensors) {
  const start = performance.now();
  for (const tensor of tensors.values()) if (tensor.dims.length === 2) quantizeRows(api, tensor);
  return performance.now() - start;
}

async function compare(name, shape, folder) {
  const path = join(folder, name);
  const tensors = seededTensors(shape);
  const api = await loadAttention();
  await writeFile(path, writeSafetensors(tensors));
  const times = { stored: [], int8: [], reading: [], quantizing: [] };
  const pauses = [];
  for (let round = 0; round < rounds; round++) {
    times.reading.push(await readingTime(path));
    times.quantizing.push(quantizingTime(api, tensors));
    times.stored.push((await timeOf(shape, path, 'as stored')).ms);
    const { ms, pause } = await timeOf(shape, path, 'int8');
    times.int8.push(ms);
    pauses.push(pause);
  }
  console.log(name);
  for (const [stage, list] of Object.entries(times)) console.log(`  ${stage}: ${shown(list)}`);
  const ratio = (of) => (of(times.int8) / of(times.stored)).toFixed(2);
  console.log(`  int8 / stored: ${ratio(minimum)} (median ${ratio(median)})`);
  console.log(`  longest without progress: ${shown(pauses)}`);
}

const shapes = { bert, gpt2 };
const requested = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'attention-wasm-bench-'));
try {
  for (const [name, shape] of Object.entries(shapes)) {
    if (requested.length === 0 || requested.includes(name)) await compare(name, shape, folder);
  }
} finally {
  await rm(folder, { recursive: true });
}
