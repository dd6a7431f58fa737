// attention-wasm/training.
import { loadTraining } from '../../../web/built/training.js';

export const attentionWasm = {
  name: 'attention-wasm',
  async open(sizes, parameters, optimizer) {
    const { TrainableTransformer } = await loadTraining();
    const model = new TrainableTransformer(sizes);
    const { step, data } = model.snapshot();
    let first = 0;
    for (const values of Object.values(parameters)) {
      data.set(values.data, first);
      first += values.data.length;
    }
    model.restore({ step, data });
    return { step: (batch) => model.step(batch, optimizer).loss };
  },
};
