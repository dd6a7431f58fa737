// Whole models through attention-wasm/models beside onnxruntime-web on the same graph, one thread each, in one run:
// BERT-base's shape at 128 tokens, and GPT-2 small's, token by token with the keys and values of those before. They
// take turns; the least of all times and their median. GPT-2 also with narrow weights, each in
// a process of its own: bytes of the weights, of the module's memory, and by how much the process grew.
//
//   node tests/bench/models.js [bert] [gpt2] [narrow]
import { spawnSync } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAttention } from '../../web/built/index.js';
import { loadModel } from '../../web/built/models.node.js';
import { writeSafetensors } from '../../web/built/safetensors.js';
import { asBfloat16 } from '../support/js/narrowed.js';
import { decoded, generated, openSessions, prompt, written } from './decoding.js';
import { bert, gpt2, seededTensors } from './model_shapes.js';
import { bertGraph, gpt2Graph } from './onnx_models.js';

const count = 128; // input tokens of BERT
const rounds = { bert: 10, gpt2: 3 };

const sorted = (times) => times.toSorted((a, b) => a - b);
const least = (times) => sorted(times)[0];
const median = (times) => sorted(times)[times.length >> 1];

function assertAlike(a, b) {
  const largest = a.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  const difference = a.reduce((max, x, n) => Math.max(max, Math.abs(x - b[n])), 0);
  if (!(difference < 1e-3 * largest)) throw new Error(`${difference} apart, of ${largest}`);
}

function print(name, times, ours) {
  const ratio = ours ? `   ${(least(times) / least(ours)).toFixed(2)}× ours` : '';
  const [first, usual] = [least(times), median(times)].map((ms) => ms.toFixed(1).padStart(7));
  console.log(`  ${name.padEnd(34)} ${first} ms, median ${usual}${ratio}`);
}

async function compareBert(onnx) {
  const tensors = seededTensors(bert);
  const model = await loadModel({ config: bert.config, weights: tensors });
  const ids = Array.from({ length: count }, (_, n) => (n * 7919) % 30_522);
  console.log(`BERT-base, ${count} tokens`);
  for (const kind of ['fused', 'plain']) {
    const session = await onnx.open(bertGraph(tensors, count, kind));
    const feeds = {
      ids: onnx.floats(ids, [1, count]),
      positions: onnx.floats(ids.keys(), [1, count]),
      types: onnx.floats(new Float32Array(count), [1, count]),
    };
    const times = { ours: [], onnx: [] };
    for (let round = 0; round < rounds.bert; round++) {
      let start = performance.now();
      const { hidden } = model.run({ ids });
      times.ours.push(performance.now() - start);
      start = performance.now();
      const results = await session.run(feeds);
      times.onnx.push(performance.now() - start);
      assertAlike(hidden.data, results.hidden.data);
    }
    print('attention-wasm', times.ours);
    print(
      `onnxruntime-web, ${kind === 'fused' ? 'its operators' : 'plain products'}`,
      times.onnx,
      times.ours,
    );
    await session.release();
  }
  model.delete();
}

async function timesOf(tokens, times) {
  const ids = [];
  for await (const { id, ms } of tokens) {
    ids.push(id);
    times.push(ms);
  }
  return ids.join(' ');
}

const perSecond = (times) => `${(1000 / median(times)).toFixed(1)} tokens/s`;

async function compareGpt2(onnx) {
  const tensors = seededTensors(gpt2);
  const model = await loadModel({ config: gpt2.config, weights: tensors });
  console.log(`GPT-2 small, ${written} tokens after ${prompt.length}`);
  for (const kind of ['fused', 'plain']) {
    const session = await onnx.open(gpt2Graph(tensors, kind));
    const times = { ours: [], onnx: [] };
    for (let round = 0; round < rounds.gpt2; round++) {
      const ids = await timesOf(generated(model), times.ours);
      const others = await timesOf(decoded(onnx, session), times.onnx);
      if (ids !== others) throw new Error(`other tokens: ${ids}, ${others}`);
    }
    print(`attention-wasm, ${perSecond(times.ours)}`, times.ours);
    const name = `onnxruntime-web, ${kind === 'fused' ? 'its operators' : 'plain products'}`;
    print(`${name}`, times.onnx, times.ours);
    await session.release();
  }
  model.delete();
}

/** Peak memory from /proc: unlike ru_maxrss, without inherited pages. */
async function mostMemory() {
  const status = await readFile('/proc/self/status', 'utf8');
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)[1]) * 1024;
}

/** Loads from a file in a new process. */
async function measure(path, how) {
  const source = await open(path);
  const api = await loadAttention();
  const before = process.memoryUsage.rss();
  const model = await loadModel({ config: gpt2.config, weights: source }, { weights: how, api });
  await source.close();
  const times = [];
  for (let round = 0; round < rounds.gpt2; round++) await timesOf(generated(model), times);
  const grown = (await mostMemory()) - before;
  return { times, weights: model.memoryBytes, module: api.memoryBytes(), process: grown };
}

async function narrowGpt2() {
  const tensors = seededTensors(gpt2);
  const narrow = ([name, tensor]) => [name, tensor.dims.length === 2 ? asBfloat16(tensor) : tensor];
  const folder = await mkdtemp(join(tmpdir(), 'attention-wasm-bench-'));
  const files = { float32: tensors, bfloat16: new Map(Array.from(tensors, narrow)) };
  try {
    for (const [type, how] of [['float32'], ['bfloat16'], ['float32', 'int8']]) {
      const path = join(folder, type);
      await writeFile(path, writeSafetensors(files[type]));
      const { stdout } = spawnSync(process.execPath, [process.argv[1], 'child', path, how ?? ''], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { times, ...bytes } = JSON.parse(stdout);
      const sizes = Object.entries(bytes).map(
        ([name, size]) => `${name} ${(size / 2 ** 20).toFixed(0)} MiB`,
      );
      print(`${how ?? type}, ${perSecond(times)}`, times);
      console.log(`    ${sizes.join(', ')}`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const wanted = process.argv.slice(2);
if (wanted[0] === 'child') {
  const [, path, how] = wanted;
  console.log(JSON.stringify(await measure(path, how || undefined)));
} else {
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  const onnx = await openSessions(1);
  if (isWanted('bert')) await compareBert(onnx);
  if (isWanted('gpt2')) await compareGpt2(onnx);
  if (isWanted('narrow')) await narrowGpt2();
}
