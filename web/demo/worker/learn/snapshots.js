// Snapshots of a model while it learns, at most so many bytes of them: when there are too many, every other one goes
// and the next ones are twice as far apart.

const maxBytes = 2 ** 25;

/** `model`: a TrainableTransformer before its first step. */
export function createSnapshots(model) {
  let all = [model.snapshot()];
  let spacing = 1;
  const maxCount = Math.max(8, Math.floor(maxBytes / all[0].data.byteLength));
  return {
    /** To be called after each step. */
    keep() {
      if (model.steps !== all.at(-1).step + spacing) return;
      all.push(model.snapshot());
      if (all.length <= maxCount) return;
      spacing *= 2;
      all = all.filter(({ step }) => step % spacing === 0);
    },

    /** Restores the latest snapshot up to a step. */
    restore(step) {
      model.restore(all.findLast((one) => one.step <= step));
    },
  };
}
