// Calls the library as a case of the family's vectors says, in Node and in browsers alike: on every path, with and
// without weights asked for.

/**
 * Yields { path, results }: what each path gave, by the names under which vectors expect it. The first
 * path asks for nothing but the output.
 */
export function* familyPaths(api, vector) {
  const { call, release } = prepare(api, vector);
  try {
    yield { path: 'plain', results: call({}) };
    if (vector.function === 'rotaryEmbedding') return;
    yield { path: 'weights kept', results: call({ weights: true }) };
    yield { path: 'weights averaged', results: call({ weights: 'average' }) };
    if (vector.function !== 'multiHeadAttention') return;
    for (const scores of ['raw', 'biased']) {
      const asked = { weights: true, headOutputs: true, logSumExp: true, scores };
      yield { path: `everything, ${scores} scores`, results: call(asked) };
    }
    yield { path: 'heads', results: call({ headOutputs: true }) };
  } finally {
    release();
  }
}

const nothing = () => {};

/** { call(asked) → results by name, release() } */
function prepare(api, { function: name, inputs, weights, options, construct }) {
  const { mask, crossMask } = inputs;
  const masks = { ...(mask && { mask }), ...(crossMask && { crossMask }) };
  const given = { ...options, ...masks };
  const { query, key, value, S, z, x, cos, sin, context, memory } = inputs;

  if (name === 'kernelAttention') {
    const call = (asked) =>
      byName(api.kernelAttention(query, key, value, { ...given, ...asked }), asked);
    return { call, release: nothing };
  }
  if (name === 'linearAttention') {
    if (S) given.state = { S, z };
    const call = (asked) =>
      byName(api.linearAttention(query, key, value, { ...given, ...asked }), asked);
    return { call, release: nothing };
  }
  if (name === 'rotaryEmbedding') {
    if (cos) Object.assign(given, { cos, sin });
    return { call: () => ({ output: api.rotaryEmbedding(x, given) }), release: nothing };
  }
  const layer = layerOf(api, name, weights, construct);
  const arguments_ = { multiHeadAttention: [x, context], transformerDecoderLayer: [x, memory] }[
    name
  ] ?? [x];
  return {
    call: (asked) => ({
      ...byName(layer.forward(...arguments_, { ...given, ...asked }), asked),
      ...(asked.headOutputs && layer.project(x, context)),
    }),
    release: () => layer.delete(),
  };
}

function layerOf(api, name, weights, { form, ...construct }) {
  if (name === 'transformerEncoderLayer')
    return api.TransformerEncoderLayer.fromTorch(weights, construct);
  if (name === 'transformerDecoderLayer')
    return api.TransformerDecoderLayer.fromTorch(weights, construct);
  if (form === 'torch') return api.MultiHeadAttention.fromTorch(weights, construct);
  return api.MultiHeadAttention.fromWeights(weights, construct);
}

// Weights averaged or not, scores of any stage and a state go by one name in results, by several in vectors.
function byName({ weights, crossWeights, scores, state, ...rest }, asked) {
  const averaged = asked.weights === 'average';
  const results = { ...rest };
  if (weights) results[averaged ? 'averageWeights' : 'weights'] = weights;
  if (crossWeights) results[averaged ? 'averageCrossWeights' : 'crossWeights'] = crossWeights;
  if (scores) results[`${asked.scores}Scores`] = scores;
  if (state) Object.assign(results, { S: state.S, z: state.z });
  return results;
}

/** Whether a 0 that is expected must be met by a 0 itself. */
export function expectsExactZeros({ function: called, flags }, name) {
  if (flags.includes('Published')) return false;
  if (/weights$/i.test(name)) return true;
  return name === 'output' && ['kernelAttention', 'linearAttention'].includes(called);
}
