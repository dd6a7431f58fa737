// Soft lookup, computed by the library: one query against a small table of keys; and a hard lookup, which finds an
// equal key or nothing.

import { lexicalScale, wordVectors } from 'attention-wasm/text';

const lookupDim = 256;

/** table: { query, entries: [[key, value]…], temperature }; values are numbers. */
export function lookUp(api, { query, entries, temperature }) {
  const known = entries.filter(([key]) => key.trim() !== '');
  const found = known.find(([key]) => key.trim() === query.trim());
  const answer = { keys: known.map(([key]) => key.trim()), hard: found ? Number(found[1]) : null };
  if (known.length === 0 || query.trim() === '') return answer;
  const spelled = (list) => wordVectors(list, { dim: lookupDim });
  const scale = lexicalScale / temperature;
  const values = known.map(([, value]) => Number(value) || 0);
  const { output, weights, scores } = api.attention(
    spelled([query.trim()]),
    spelled(answer.keys),
    { data: Float32Array.from(values), dims: [known.length, 1] },
    { scale, weights: true, scores: 'raw' },
  );
  return {
    ...answer,
    scale,
    values,
    scores: Array.from(scores.data),
    weights: Array.from(weights.data),
    soft: output.data[0],
  };
}
