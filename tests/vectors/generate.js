// Writes vectors.json and vectors.bin: the cases of cases.json and published_*.js with expected results from the oracles (or the
// publication) and tolerances. The same inputs give the same bytes.
//
//   node tests/vectors/generate.js
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { boundOf } from '../support/js/accuracy_bound.js';
import { formulasOf } from '../support/js/bound_formulas.js';
import { oracleCase } from '../support/js/oracle_case.js';
import { similarityFunctions } from '../support/js/similarity_functions.js';
import { casesOf } from './cases.js';
import { FLAGS, flagsOf } from './flags.js';
import { publishedAttention } from './published_attention.js';
import { publishedLayers } from './published_layers.js';
import { fromRows, layOut, roundUp, tensorWriter } from './vector_files.js';

const otherFunctions = [
  ...['kernelAttention', 'linearAttention', 'rotaryEmbedding', 'multiHeadAttention'],
  ...['transformerEncoderLayer', 'transformerDecoderLayer'],
];

// Small cases have all results, medium ones weights: the file stays small.
const ALL_UP_TO = 100;
const WEIGHTS_UP_TO = 200;

/** The two files: { json: string, bytes: Uint8Array }. */
export function generate() {
  const writer = tensorWriter();
  const described = [
    ...publishedAttention,
    ...casesOf('attention'),
    ...publishedLayers,
    ...otherFunctions.flatMap(casesOf),
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

// Tolerance of published numbers: the printed precision, or float32's if that is coarser.
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

// A function is written as its name.
function writtenOptions({ similarity, ...options }) {
  if (typeof similarity !== 'function') return similarity ? { similarity, ...options } : options;
  const found = Object.entries(similarityFunctions).find(([, known]) => known === similarity);
  return { similarityFunction: found[0], ...options };
}

// Names of the expected results. Results that were not published are computed.
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

// A huge finite bias leaves no digit of the score, so biased scores are not compared.
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

// Every input must be exact in float32, otherwise implementations start with different numbers. Positions and
// bases of angles are float64 numbers, and so is the default epsilon of norms.
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
