// Writes vectors.json and vectors.bin: the cases of *_cases.js and published_*.js with what the oracles (or the
// publication) say they give, and how exactly. Same input, same bytes.
//
//   node tests/vectors/generate.js
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { boundOf } from '../support/js/accuracy_bound.js';
import { formulasOf } from '../support/js/bound_formulas.js';
import { oracleCase } from '../support/js/oracle_case.js';
import { similarityFunctions } from '../support/js/similarity_functions.js';
import { FLAGS, flagsOf } from './flags.js';
import { kernelAttentionCases } from './kernel_attention_cases.js';
import { linearAttentionCases } from './linear_attention_cases.js';
import { multiHeadCases } from './multi_head_cases.js';
import { publishedAttention } from './published_attention.js';
import { publishedLayers } from './published_layers.js';
import { rotaryCases } from './rotary_cases.js';
import { scaledDotProductCases } from './scaled_dot_product_cases.js';
import { transformerCases } from './transformer_cases.js';
import { fromRows, layOut, roundUp, tensorWriter } from './vector_files.js';

// Everything is expected of small cases, weights of middle ones; the file stays small.
const ALL_UP_TO = 100;
const WEIGHTS_UP_TO = 200;

/** The two files: { json: string, bytes: Uint8Array }. */
export function generate() {
  const writer = tensorWriter();
  const described = [
    ...publishedAttention,
    ...scaledDotProductCases(),
    ...publishedLayers,
    ...kernelAttentionCases(),
    ...linearAttentionCases(),
    ...rotaryCases(),
    ...multiHeadCases(),
    ...transformerCases(),
  ].map((made) => describe(made, writer));
  const names = new Set(described.map(({ name }) => name));
  if (names.size !== described.length) throw new Error('two cases share a name');
  const bytes = writer.bytes();
  const head = {
    format: 'attention-vectors',
    version: 2,
    description:
      'Test vectors for attention and what is built around it: inputs, options and float64 results. README.md describes the format.',
    flags: FLAGS,
    buffer: 'vectors.bin',
    bytes: bytes.length,
  };
  return { json: layOut(head, described), bytes };
}

function describe(made, writer) {
  checkNumbers(made);
  const exact = oracleCase(made);
  const naive = oracleCase(made, Math.fround);
  const formulas = formulasOf(made, exact);
  const tolerance = {};
  const reasons = [];
  const expected = {};
  for (const name of expectations(made, exact)) {
    const bound = boundOf(exact[name], naive[name], formulas[name]);
    const printed = made.expected?.[name] && fromRows(made.expected[name], Float64Array);
    const { limit, reason } = limitOf(bound, printed ? made.tolerance : null);
    tolerance[name] = roundUp(limit);
    reasons.push(`${name} ${reason}`);
    expected[name] = {
      dims: exact[name].dims,
      data: Float64Array.from((printed ?? exact[name]).data),
    };
  }
  if (made.exactBiases) reasons.push(`biases left out: ${made.exactBiases}`);
  const one = { name: made.name, comment: made.comment, flags: flagsOf(made, exact) };
  if (made.source) one.source = made.source;
  one.function = made.function;
  one.inputs = putAll(writer, made.inputs);
  if (made.weights) one.weights = putAll(writer, made.weights);
  one.options = writtenOptions(made.options);
  if (made.construct) one.construct = made.construct;
  one.expected = putAll(writer, expected);
  return { ...one, tolerance, toleranceReason: reasons.join('; ') };
}

// Printed numbers are held to their print, or to what float32 can hold if that is less.
function limitOf({ tolerance, naiveError, formula }, print) {
  if (print != null) {
    return {
      limit: Math.max(print, 2 * naiveError),
      reason: print >= 2 * naiveError ? 'print' : 'naive',
    };
  }
  return { limit: tolerance, reason: 2 * naiveError > formula ? 'naive' : 'formula' };
}

const putAll = (writer, tensors) =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, writer.put(tensor)]));

// A function goes by its name.
function writtenOptions({ similarity, ...options }) {
  if (typeof similarity !== 'function') return similarity ? { similarity, ...options } : options;
  const found = Object.entries(similarityFunctions).find(([, known]) => known === similarity);
  return { similarityFunction: found[0], ...options };
}

// Names of what is expected. What was not printed is computed.
function expectations(made, exact) {
  if (made.expected) return [...new Set(['output', ...Object.keys(made.expected)])];
  const wanted = ['output'];
  const { weights, crossWeights } = exact;
  const heads = headsOf(made);
  const pairs = Math.max(weights?.data.length ?? 0, crossWeights?.data.length ?? 0);
  if (weights && pairs <= WEIGHTS_UP_TO) wanted.push('weights');
  if (crossWeights && pairs <= WEIGHTS_UP_TO) wanted.push('crossWeights');
  if (weights && pairs <= ALL_UP_TO && heads > 1) {
    wanted.push('averageWeights');
    if (crossWeights) wanted.push('averageCrossWeights');
  }
  if (made.options.state) wanted.push('S', 'z');
  if (made.function === 'attention') wanted.push(...expectedOfAttention(made, pairs));
  if (made.function === 'multiHeadAttention' && isSmall(exact)) {
    wanted.push('headOutputs', 'query', 'key', 'value');
    if (pairs <= ALL_UP_TO) wanted.push('logSumExp', 'rawScores', 'biasedScores');
  }
  return wanted;
}

function headsOf({ inputs: { query }, options, construct }) {
  if (query?.dims.length === 4) return query.dims[1];
  return construct?.heads ?? options.heads ?? 1;
}

// Biased scores next to huge finite biases keep no digit of the score, so comparing them would say nothing.
function expectedOfAttention({ inputs: { mask }, options, exactBiases }, pairs) {
  if (pairs > ALL_UP_TO) return ['logSumExp'];
  const huge =
    mask?.data instanceof Float32Array &&
    mask.data.some((x) => Math.abs(x) > 1000 && Number.isFinite(x));
  return [
    'logSumExp',
    'rawScores',
    ...(options.softcap != null ? ['cappedScores'] : []),
    ...(exactBiases || !huge ? ['biasedScores'] : []),
  ];
}

const isSmall = ({ headOutputs, query, key, value }) =>
  [headOutputs, query, key, value].every(({ data }) => data.length <= WEIGHTS_UP_TO);

// Every number must survive as a float32, or implementations would differ before they begin. Positions and
// bases of angles are float64 numbers, and so is the usual epsilon of norms.
function checkNumbers({ name, options, construct }) {
  const { scale, bandwidth, constant, softcap, epsilon, slopes = [], sinks = [] } = options;
  const numbers = [scale, bandwidth, constant, softcap, epsilon, construct?.epsilon];
  for (const number of [...numbers, ...slopes, ...sinks]) {
    if (number != null && Math.fround(number) !== number) {
      throw new Error(`${name}: ${number} is no float32`);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { json, bytes } = generate();
  writeFileSync(new URL('vectors.json', import.meta.url), json);
  writeFileSync(new URL('vectors.bin', import.meta.url), bytes);
  console.log(`${JSON.parse(json).cases.length} cases, ${bytes.length} bytes`);
}
