// Runs a case of the test vectors through the library, in Node.js or a browser, on every path: plain, with all
// optional results, and in steps. Reports differences from the expected results.
import { explainBitDifference, explainDifference } from './compare.js';

const STAGES = ['raw', 'capped', 'biased'];

/** @type {(call: { path: string, results: object }) => void} */
const noReport = () => {};

/** Sentences about differences, none if all agree. `seen({ path, results })` is called after every call. */
export function* vectorProblems(api, vector, seen = noReport) {
  const { expected, tolerance } = vector;
  const met = new Set();
  for (const { path, asked, results, like = {} } of vectorCalls(api, vector)) {
    seen({ path, results });
    const unasked = asked && Object.keys(results).filter((name) => !allowed(asked).has(name));
    if (unasked?.length > 0) yield `${path}: ${unasked} unasked`;
    for (const [name, want] of Object.entries(expected)) {
      if (!results[name]) continue;
      met.add(name);
      const exactZeros = expectsExactZeros(vector, name);
      const difference = explainDifference(results[name], want, tolerance[name], { exactZeros });
      if (difference) yield `${path}: ${name}: ${difference}`;
    }
    for (const [name, other] of Object.entries(like)) {
      const difference = explainBitDifference(results[name], other);
      if (difference) yield `${path}: ${name} beside another path: ${difference}`;
    }
  }
  for (const name of Object.keys(expected)) if (!met.has(name)) yield `${name} was not given`;
}

// Each call as { path, results } by the names in the vectors. With `asked`, results must be exactly those that
// were requested; with `like`, they must have those bits.
function* vectorCalls(api, vector) {
  const { call, release, requests = [], steps } = prepare(api, vector);
  try {
    let plain;
    for (const asked of [{}, ...requests]) {
      const results = byName(call(asked), asked);
      plain ??= results;
      yield {
        path: JSON.stringify(asked),
        asked: { ...vector.options, ...asked },
        results,
        like: plain,
      };
    }
    if (steps) yield* steps();
  } finally {
    release?.();
  }
}

const weighed = [{ weights: true }, { weights: 'average' }];
const everyStage = (more) =>
  STAGES.map((scores) => ({ weights: true, scores, logSumExp: true, ...more }));

/** { call(asked) → what the library returns, release(), requests: what else can be asked for, steps() } */
function prepare(api, { function: name, inputs, weights, options, construct }) {
  const { query, key, value, S, z, x, cos, sin, context, memory, ...masks } = inputs;
  const given = { ...options, ...masks };
  const calls = {
    attention: () => ({
      call: (asked) => api.attention(query, key, value, { ...given, ...asked }),
      requests: [
        { logSumExp: true },
        ...everyStage(),
        { weights: 'average' },
        { weights: 'average', scores: 'capped' },
        { scores: 'raw' },
      ],
      steps: () => attentionSteps(api, [query, key, value], given),
    }),
    kernelAttention: () => ({
      call: (asked) => api.kernelAttention(query, key, value, { ...given, ...asked }),
      requests: weighed,
    }),
    linearAttention: () => {
      const continued = S ? { ...given, state: { S, z } } : given;
      return {
        call: (asked) => api.linearAttention(query, key, value, { ...continued, ...asked }),
        requests: weighed,
      };
    },
    rotaryEmbedding: () => {
      const turned = cos ? { ...given, cos, sin } : given;
      return { call: () => ({ output: api.rotaryEmbedding(x, turned) }) };
    },
    multiHeadAttention: () => {
      const { form, ...sizes } = construct;
      const make = form === 'torch' ? 'fromTorch' : 'fromWeights';
      const layer = api.MultiHeadAttention[make](weights, sizes);
      return {
        call: (asked) => ({
          ...layer.forward(x, context, { ...given, ...asked }),
          ...(asked.headOutputs && layer.project(x, context)),
        }),
        requests: [...weighed, ...everyStage({ headOutputs: true }), { headOutputs: true }],
        release: () => layer.delete(),
      };
    },
    transformerEncoderLayer: () => {
      const layer = api.TransformerEncoderLayer.fromTorch(weights, construct);
      return {
        call: (asked) => layer.forward(x, { ...given, ...asked }),
        requests: weighed,
        release: () => layer.delete(),
      };
    },
    transformerDecoderLayer: () => {
      const layer = api.TransformerDecoderLayer.fromTorch(weights, construct);
      return {
        call: (asked) => layer.forward(x, memory, { ...given, ...asked }),
        requests: weighed,
        release: () => layer.delete(),
      };
    },
  };
  return calls[name]();
}

// The three steps, with one options object.
function* attentionSteps({ attention, scores, softmax, weightedSum }, [query, key, value], given) {
  const options = { ...given, weights: true, logSumExp: true };
  for (const stage of STAGES) {
    const staged = scores(query, key, { ...options, scores: stage });
    yield { path: `scores() ${stage}`, results: { [`${stage}Scores`]: staged } };
  }
  const weights = softmax(scores(query, key, options), options);
  yield { path: 'softmax(scores())', results: { weights } };
  const output = weightedSum(weights, value, options);
  yield { path: 'weightedSum(softmax(scores()))', results: { output } };
  const kept = attention(query, key, value, { ...options, scores: 'biased' });
  yield {
    path: 'softmax() of kept scores',
    results: { weights: softmax(kept.scores, given) },
    like: { weights: kept.weights },
  };
}

// Weights (averaged or not), scores of any stage and states have one name in results and several in vectors.
function byName({ weights, crossWeights, scores, state, ...rest }, asked) {
  const averaged = asked.weights === 'average';
  const results = { ...rest };
  if (weights) results[averaged ? 'averageWeights' : 'weights'] = weights;
  if (crossWeights) results[averaged ? 'averageCrossWeights' : 'crossWeights'] = crossWeights;
  if (scores) results[`${asked.scores}Scores`] = scores;
  if (state) Object.assign(results, { S: state.S, z: state.z });
  return results;
}

// Names of all possible results.
function allowed({ weights, scores, logSumExp, headOutputs, state }) {
  const names = ['output'];
  if (weights === true) names.push('weights', 'crossWeights');
  if (weights === 'average') names.push('averageWeights', 'averageCrossWeights');
  if (scores) names.push(`${scores}Scores`);
  if (logSumExp) names.push('logSumExp');
  if (headOutputs) names.push('headOutputs', 'query', 'key', 'value');
  if (state) names.push('S', 'z');
  return new Set(names);
}

// True if an expected 0 must be exactly 0: results without weight are exact zeros.
function expectsExactZeros({ function: called, flags }, name) {
  if (flags.includes('Published')) return false;
  if (/weights$/i.test(name)) return true;
  return name === 'output' && ['attention', 'kernelAttention', 'linearAttention'].includes(called);
}
