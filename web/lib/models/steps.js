// Computations in steps: generators that yield what a layer returns, and are resumed with its results. Layers in this
// thread return results; those of a pool return promises, for which it has a function of its own.

/** Runs steps whose layers are in this thread; returns their result. */
export function finish(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value);
  return step.value;
}
