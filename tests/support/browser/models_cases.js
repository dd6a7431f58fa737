// Runs every model of the fixtures; Node.js and browsers must give the same bits.
import { fingerprintOf } from '../js/fingerprint.js';
import { seededInput, seededWeights } from '../js/seeded_weights.js';

/** A checksum of hidden states, logits and attention for each case. */
export async function runModelCases(loadModel, cases) {
  const found = {};
  for (const [name, one] of Object.entries(cases)) {
    const model = await loadModel({ config: one.config, weights: seededWeights(one) });
    const { hidden, attentions } = await model.run(seededInput(one), { attentions: true });
    found[name] = fingerprintOf([hidden, ...Object.values(attentions).flat()]);
    model.delete();
  }
  return found;
}

/** Attention and next tokens of a text, for a model from any source. */
export async function runText(loadModel, source) {
  const model = await loadModel(source);
  const { tokens, spans, attentions } = model.run('two cats', { attentions: true });
  const written = [];
  for await (const { id } of model.generate('two cats', { maxTokens: 5 })) written.push(id);
  model.delete();
  return { tokens, spans, written, hash: fingerprintOf(attentions.self) };
}
