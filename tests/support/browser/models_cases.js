// Every model of the fixtures, run: what Node.js and pages must agree on, bit by bit.
import { seededInput, seededWeights } from '../js/seeded_weights.js';

function hashOf(tensors) {
  let hash = 0x811c9dc5;
  for (const { data } of tensors) {
    for (const word of new Uint32Array(data.buffer, data.byteOffset, data.length)) {
      hash = Math.imul(hash ^ word, 0x01000193) >>> 0;
    }
  }
  return hash;
}

/** For each case a number that its hidden vectors, logits and attention make together. */
export async function runModelCases(loadModel, cases) {
  const found = {};
  for (const [name, one] of Object.entries(cases)) {
    const model = await loadModel({ config: one.config, weights: seededWeights(one) });
    const { hidden, attentions } = model.run(seededInput(one), { attentions: true });
    found[name] = hashOf([hidden, ...Object.values(attentions).flat()]);
    model.delete();
  }
  return found;
}

/** The attention of a text, of a model from anywhere, and what follows. */
export async function runText(loadModel, source) {
  const model = await loadModel(source);
  const { tokens, spans, attentions } = model.run('two cats', { attentions: true });
  const written = [];
  for await (const { id } of model.generate('two cats', { maxTokens: 5 })) written.push(id);
  model.delete();
  return { tokens, spans, written, hash: hashOf(attentions.self) };
}
