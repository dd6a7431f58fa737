// Values that the oracle of models captures in a run of a case of models.json, from the library's embeddings on.

import { loadModel } from 'attention-wasm/models';
import { oracleModel } from './oracle_model.js';
import { seededWeights } from './seeded_weights.js';

/** Resolves to a Map from `${stack} ${place} ${layer}` to a tensor in float64. */
export async function capturedByOracle(one, input, edits) {
  const source = { config: one.config, weights: seededWeights({ ...one, type: 'float32' }) };
  const model = await loadModel(source);
  const { hiddenStates = [], encoderHiddenStates } = model.run(input, { hiddenStates: true });
  model.delete();
  const inputs = encoderHiddenStates
    ? { encoder: encoderHiddenStates[0], decoder: hiddenStates[0] }
    : { self: hiddenStates[0] };
  return oracleModel(source, inputs, edits).captured;
}
