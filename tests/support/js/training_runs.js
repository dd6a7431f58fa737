// Runs of TrainableTransformer that several tests share, in Node.js and in browsers.
import { startFingerprint } from './fingerprint.js';

/** A batch of the task `reverse`: 1 starts the decoder, digits are from 2 on. */
function reverseBatch(step) {
  const ids = Array.from({ length: 4 }, (_, row) =>
    Array.from({ length: 6 }, (__, i) => ((step * 7 + row * 5 + i * i) % 10) + 2),
  );
  const targets = ids.map((row) => row.toReversed?.() ?? [...row].reverse());
  return { ids, targets, decoderIds: targets.map((row) => [1, ...row.slice(0, -1)]) };
}

export const reverseSizes = {
  kind: 'encoder-decoder',
  vocabulary: 12,
  width: 16,
  layers: 1,
  heads: 2,
  hidden: 32,
  context: 8,
  seed: 7,
};

export function trainReverse(model, first, last) {
  const options = { learningRate: 0.005, betas: [0.9, 0.95], weightDecay: 0.1, clip: 1 };
  for (let step = first; step < last; step++) model.step(reverseBatch(step), options);
}

/** The digest of parameters and optimizer state after 50 steps. */
export function digestOfRun({ TrainableTransformer }) {
  const model = new TrainableTransformer(reverseSizes);
  trainReverse(model, 0, 50);
  const { data } = model.snapshot();
  model.delete();
  const fingerprint = startFingerprint();
  fingerprint.add({ dims: [data.length], data });
  return fingerprint.text();
}

/** The same in tests/cpp/training/training_test.cpp. */
export const expectedDigest = '5d0ff638c011973e';
