// A picture: what the views draw of one part, from its queries, keys and values. Every number in it
// is the library's; heads × rows × columns.

import { callKind } from './kinds.js';
import { isOneSequence, optionsFor } from './options.js';

const rank4 = ({ data, dims }) => ({ data, dims: [1, ...dims] });
const tensors = ({ query, key, value }) => ({
  query: rank4(query),
  key: rank4(key),
  value: rank4(value),
});

/** The four stages of a part, the output, and the difference to softmax for the other kinds. */
export function computePart(api, part, reading, settings) {
  const given = tensors(part);
  const options = optionsFor(part, reading, settings);
  const result = callKind(api, settings.kind, given, options);
  const { query, key } = given;
  const { scale, softcap, causal, window } = options;
  const score = (more) => api.scores(query, key, more).data;
  const masked = result.scores?.data ?? score({ scale, causal, window, scores: 'biased' });
  const stages = {
    raw: score({ scale: 1, scores: 'raw' }),
    scaled: score({ scale, softcap, scores: 'capped' }),
    masked,
    weights: result.weights.data,
  };
  let difference;
  if (settings.kind !== 'softmax') {
    const softmax = api.attention(query, key, given.value, { ...options, weights: true });
    difference = result.weights.data.map((weight, at) => weight - softmax.weights.data[at]);
  }
  return { options, stages, difference, output: result.output.data };
}

/** Weights alone, of every part: what the small pictures need. */
export function weightsOfPart(api, part, reading, settings) {
  const options = optionsFor(part, reading, settings);
  return callKind(api, settings.kind, tensors(part), options).weights.data;
}

/** `computed` with its heads averaged, if the reader wants that, in the form of a picture. */
export function pictureOf(part, reading, computed, settings) {
  const rows = part.rows ?? reading.rows;
  const columns = part.columns ?? reading.columns;
  const count = rows.length * columns.length;
  const average = settings.average && part.heads > 1;
  const mean = (values) => (average && values ? meanOf(values, part.heads) : values);
  const { masked } = computed.stages;
  let hidden = null;
  for (let at = 0; at < count; ++at) {
    if (masked[at] === -Infinity) (hidden ??= new Uint8Array(count))[at] = 1;
  }
  return {
    part: part.id,
    name: part.name,
    rows,
    columns,
    heads: average ? 1 : part.heads,
    average,
    oneSequence: isOneSequence(part, reading),
    stages: Object.fromEntries(
      Object.entries(computed.stages).map(([stage, values]) => [stage, mean(values)]),
    ),
    hidden,
    difference: mean(computed.difference),
    thumbnails: [],
  };
}

function meanOf(values, heads) {
  const count = values.length / heads;
  return Float32Array.from({ length: count }, (_, at) => {
    let sum = 0;
    for (let head = 0; head < heads; ++head) sum += values[head * count + at];
    return sum / heads;
  });
}
