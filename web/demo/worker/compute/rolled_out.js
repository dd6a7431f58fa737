// Weights of a rollout, computed when it is first shown.

/** Computes a rollout, unless it is done. */
export async function rollOut(api, part, reading) {
  if (!part.layers || part.weights) return;
  const { rolloutOf } = await import('./rollout.js');
  Object.assign(part, rolloutOf(api, part, reading));
}
