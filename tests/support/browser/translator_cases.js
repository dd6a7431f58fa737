// The same translations wherever they are asked for: text, tokens, and every weight folded into a number.

const sentences = ['The red car is fast.', 'Zuko made his uncle tea', 'I have 27 black cats 🐈.'];

/** FNV-1a over the bits. */
function fold(arrays) {
  let hash = 0x811c9dc5;
  for (const array of arrays) {
    for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) {
      hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    }
  }
  return hash;
}

/** @param {import('attention-wasm/translator').Translator} translator */
export const runTranslatorCases = (translator) =>
  sentences.flatMap((sentence) =>
    [1, 4].map((beam) => {
      const { text, target, logProbabilities, attention } = translator.translate(sentence, {
        beam,
      });
      const { encoder, decoder, cross } = attention;
      return {
        text,
        tokens: target.tokens,
        // Logarithms are the engine's own, and may differ in the last bit.
        logProbabilities: logProbabilities.map((x) => x.toFixed(9)),
        weights: fold([...encoder, ...decoder, ...cross].map(({ data }) => data)),
      };
    }),
  );
