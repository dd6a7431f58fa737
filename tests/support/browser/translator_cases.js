// Translations that must be the same in every engine: text, tokens, and a checksum of all weights.

import { fingerprintOf } from '../js/fingerprint.js';

const sentences = ['The red car is fast.', 'Zuko made his uncle tea', 'I have 27 black cats 🐈.'];

/** @param {import('attention-wasm/translator').Translator} translator */
export const runTranslatorCases = (translator) =>
  sentences.flatMap((sentence) =>
    [1, 4].map((beam) => {
      const { text, target, logProbabilities, attention } = translator.translate(sentence, {
        beam,
      });
      const { encoder, decoder, cross } = /** @type {NonNullable<typeof attention>} */ (attention);
      return {
        text,
        tokens: target.tokens,
        // Logarithms are computed by the engine and may differ in the last bit.
        logProbabilities: logProbabilities.map((x) => x.toFixed(9)),
        weights: fingerprintOf([...encoder, ...decoder, ...cross]),
      };
    }),
  );
