// Tokens a second that GPT-2 small's shape writes, in each type of weights, of several builds that take turns, beside
// onnxruntime-web with float32; one thread each.
//
//   node tests/bench/tokens.js [NAME=BUILT…] [--type float32,float16,int8] [--rounds N]
//
// BUILT: the folder web/built of another build.
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { asBfloat16, asFloat16 } from '../support/js/narrowed.js';
import { decoded, generated, openSessions, prompt, written } from './decoding.js';
import { gpt2, seededTensors } from './model_shapes.js';
import { gpt2Graph } from './onnx_models.js';

const { values, positionals } = parseArgs({
  options: {
    type: { type: 'string', default: 'float32,float16,int8' },
    rounds: { type: 'string', default: '3' },
  },
  allowPositionals: true,
});
const builds = [
  ...positionals.map((pair) => pair.split('=')),
  ['this build', fileURLToPath(new URL('../../web/built', import.meta.url))],
];

const tensors = seededTensors(gpt2);
const narrowed = { float16: asFloat16, bfloat16: asBfloat16 };

/** The tensors with matrices of a type. */
function stored(type) {
  const convert = narrowed[type];
  if (!convert) return tensors;
  const narrow = ([name, tensor]) => [name, tensor.dims.length === 2 ? convert(tensor) : tensor];
  return new Map(Array.from(tensors, narrow));
}

/** @returns {Promise<{ name: string, tokens: () => AsyncGenerator<{ id: number, ms: number }> }[]>} */
async function contenders(type) {
  const all = [];
  const weights = stored(type);
  for (const [name, folder] of builds) {
    const { loadModel } = await import(pathToFileURL(resolve(folder, 'models.node.js')).href);
    const how = type === 'int8' ? { weights: type } : {};
    const model = await loadModel({ config: gpt2.config, weights }, how);
    all.push({ name, tokens: () => generated(model), close: () => model.delete() });
  }
  if (type === 'float32') {
    const onnx = await openSessions(1);
    const session = await onnx.open(gpt2Graph(tensors, 'fused'));
    const close = () => session.release();
    all.push({ name: 'onnxruntime-web', tokens: () => decoded(onnx, session), close });
  }
  return all;
}

console.log(`${cpus()[0].model.trim()}, Node.js ${process.version}`);
console.log(`GPT-2 small's shape, ${written} tokens after ${prompt.length}, one thread`);
for (const type of values.type.split(',')) {
  const all = await contenders(type);
  const times = all.map(() => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [n, { tokens }] of all.entries()) {
      for await (const { ms } of tokens()) times[n].push(ms);
    }
  }
  for (const [n, { name, close }] of all.entries()) {
    const sorted = times[n].toSorted((a, b) => a - b);
    const [least, median] = [sorted[0], sorted[sorted.length >> 1]];
    console.log(
      `${type} | ${name} | least ${least.toFixed(1)} ms, median ${median.toFixed(1)} ms, ${(1000 / median).toFixed(1)} tokens/s`,
    );
    await close();
  }
}
