// Runs the test vectors of attention (tests/vectors) in onnxruntime-web's Attention operator, and lists which are the
// same, which differ and how, and which it cannot express. Fails if the list differs from onnx_vectors.txt.
//   node onnx_vectors.js [--each] [--write]      --each: print every difference; --write: update onnx_vectors.txt

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import * as ort from 'onnxruntime-web/wasm';

import { explainDifference } from '../support/js/compare.js';
import { readVectors } from '../support/js/vectors.js';
import { differences, kindsOfNumbers, kindsOfRefusal } from './onnx_differences.js';
import { notGiven, operatorCall } from './onnx_vector_calls.js';

const known = new URL('onnx_vectors.txt', import.meta.url);
const fixture = (name) => readFileSync(new URL(`../vectors/${name}`, import.meta.url));

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

/** { numbers } of one result, or { refusal }: the runtime's message. */
async function answer({ inputs }, { model, output }) {
  let session;
  try {
    const options = { executionProviders: ['wasm'], logSeverityLevel: 4 };
    session = await ort.InferenceSession.create(model, options);
    const feeds = {};
    for (const [name, { type, data, dims }] of Object.entries(inputs)) {
      feeds[name] = new ort.Tensor(type, data, dims);
    }
    return { numbers: (await session.run(feeds))[output].data };
  } catch (error) {
    return { refusal: error.message };
  } finally {
    await session?.release();
  }
}

/** Differences of a vector, { kinds, sentences }; undefined if the operator cannot express it. */
async function compared(vector, isSpread = false) {
  const call = operatorCall(vector, isSpread);
  if (!call) return undefined;
  const kinds = new Set();
  const sentences = [];
  for (const result of call.results) {
    const want = vector.expected[result.name];
    const { numbers, refusal } = await answer(call, result);
    if (refusal !== undefined) {
      const { kinds: others, mask } = kindsOfRefusal(refusal, call);
      if (others) return { kinds: others, sentences: [`refused: ${refusal}`] };
      const spread = await compared(vector, true);
      return { kinds: [...mask, ...spread.kinds], sentences: [refusal, ...spread.sentences] };
    }
    const got = { dims: want.dims, data: numbers };
    const difference = explainDifference(got, want, vector.tolerance[result.name]);
    if (!difference) continue;
    sentences.push(`${result.name}: ${difference}`);
    for (const kind of kindsOfNumbers(vector, call, { got, want, name: result.name })) {
      kinds.add(kind);
    }
  }
  return { kinds: [...kinds].sort(), sentences };
}

const { values: asked } = parseArgs({
  options: { each: { type: 'boolean' }, write: { type: 'boolean' } },
});
const vectors = readVectors(JSON.parse(fixture('vectors.json')), fixture('vectors.bin')).filter(
  (vector) => vector.function === 'attention',
);
const lines = [`onnxruntime-web ${ort.env.versions.web}, opset 24`];
const counts = { same: 0, differ: 0, 'not expressible': 0 };
const ofKind = new Map(Object.keys(differences).map((kind) => [kind, 0]));
const withheld = Object.fromEntries(notGiven.map((name) => [name, 0]));
for (const vector of vectors) {
  const found = await compared(vector);
  for (const name of notGiven) withheld[name] += name in vector.expected;
  const { kinds, sentences } = found ?? { kinds: ['sinks'], sentences: [] };
  counts[found ? (kinds.length > 0 ? 'differ' : 'same') : 'not expressible']++;
  for (const kind of kinds) ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
  if (kinds.length > 0) lines.push(`${vector.name}: ${kinds.join(', ')}`);
  if (asked.each && sentences.length > 0) {
    console.log(`${vector.name} (${kinds.join(', ')})`);
    for (const sentence of sentences) console.log(`    ${sentence.replaceAll('\n', ' ')}`);
  }
}

console.log(`${lines[0]}: of ${vectors.length} vectors`);
for (const [name, count] of Object.entries(counts))
  console.log(`${`${count}`.padStart(6)} ${name}`);
for (const [kind, count] of ofKind) {
  const { says, link } = differences[kind] ?? { says: 'a kind that is not known', link: '' };
  console.log(`\n${`${count}`.padStart(6)} ${kind}: ${says}\n       ${link}`);
}
console.log(
  `\nno output for ${Object.entries(withheld)
    .map(([name, count]) => `${name} (${count})`)
    .join(', ')}`,
);

const text = `${lines.join('\n')}\n`;
if (asked.write) writeFileSync(known, text);
const before = existsSync(known) ? readFileSync(known, 'utf8').trimEnd().split('\n') : [];
const news = lines.filter((line) => !before.includes(line)).map((line) => `  now  ${line}`);
const gone = before.filter((line) => !lines.includes(line)).map((line) => `  once ${line}`);
if (news.length + gone.length > 0) {
  console.log(['\nother than in onnx_vectors.txt:', ...gone, ...news].join('\n'));
  process.exitCode = 1;
}
