// Correct uses of attention-wasm/training; incorrect ones are under @ts-expect-error.

import { loadAttention, type OwnedTensor } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import {
  loadTraining,
  type AttentionGradients,
  type StepResult,
  type TrainingSnapshot,
} from 'attention-wasm/training';

const { attention } = await loadAttention();
const { attentionBackward, TrainableTransformer, memoryBytes } = await loadTraining();

export const own = loadTraining({ wasm: new Uint8Array(8) });
// @ts-expect-error kernels cannot be chosen
loadTraining({ kernels: 'reference' });

const x: OwnedTensor = { data: new Float32Array(4), dims: [2, 2] };
const result = attention(x, x, x, { causal: true, logSumExp: true });
const gradients: AttentionGradients = attentionBackward(x, x, x, result, x, {
  causal: true,
  gradients: ['sinks'],
});
const sinks: OwnedTensor | undefined = gradients.sinks;
// @ts-expect-error there is no gradient of the offset
attentionBackward(x, x, x, result, x, { gradients: ['offset'] });
// @ts-expect-error weights are no gradient
attentionBackward(x, x, x, result, x, { weights: true });

const sizes = { vocabulary: 3, width: 4, layers: 1, heads: 1, context: 4 };
const model = new TrainableTransformer({ kind: 'encoder-decoder', ...sizes, seed: 1 });
const batch = { ids: [[0, 1]], decoderIds: [Uint8Array.of(0)], targets: [[2]] };
const { loss }: StepResult = model.step(batch, { learningRate: 1e-3, betas: [0.9, 0.95] });
// @ts-expect-error the learning rate is missing
model.step(batch, {});
// @ts-expect-error a single row
model.step({ ids: [0, 1], targets: [1, 2] }, { learningRate: 1 });
const cross: OwnedTensor[] | undefined = model.run([0], { attentions: true, decoderIds: [1] })
  .attentions?.cross;
const snapshot: TrainingSnapshot = model.snapshot();
model.restore(snapshot);
const saved = model.save();
const opened = await loadModel(saved);
const file: Uint8Array = writeSafetensors(saved.weights);
const names: string[] = model.parameters().map(({ name }) => name);
// @ts-expect-error there is no such kind
new TrainableTransformer({ kind: 'encoder', ...sizes });
model.delete();
void [sinks, loss, cross, opened, file, names, memoryBytes()];
