// GPT-2 small written token by token, by attention-wasm and by onnxruntime-web.
import { sessionOptions, startedRuntime } from './contenders/onnxruntime_web.js';

export const prompt = Array.from({ length: 16 }, (_, n) => (n * 7919) % 50_257);
export const written = 48; // generated tokens

/** onnxruntime-web: { open(model's bytes), floats(data, dims) }. */
export async function openSessions(threads) {
  const { InferenceSession, Tensor } = await startedRuntime(threads);
  const options = { graphOptimizationLevel: 'all', ...sessionOptions };
  return {
    open: (bytes) => InferenceSession.create(bytes, options),
    floats: (data, dims) => new Tensor('float32', Float32Array.from(data), dims),
  };
}

/**
 * One token at a time: yields its id, how long it took and the logits. The prompt is not timed. `forced` tokens take the
 * place of those that the logits choose.
 */
export async function* decoded(onnx, session, forced = []) {
  const { layers, heads, dim } = { layers: 12, heads: 12, dim: 64 };
  const none = () => onnx.floats([], [2, 1, heads, 0, dim]);
  let past = Array.from({ length: layers }, none);
  let id;
  for (let n = 0; n < prompt.length + written - 1; n++) {
    const start = performance.now();
    const feeds = {
      ids: onnx.floats([prompt[n] ?? forced[n - prompt.length] ?? id], [1, 1]),
      positions: onnx.floats([n], [1, 1]),
      ...Object.fromEntries(past.map((tensor, at) => [`past${at}`, tensor])),
    };
    const results = await session.run(feeds);
    past = past.map((_, at) => results[`present${at}`]);
    const logits = results.logits.data;
    id = largest(logits);
    if (n >= prompt.length) yield { id, ms: performance.now() - start, logits };
  }
}

function largest(row) {
  let best = 0;
  for (let n = 1; n < row.length; n++) if (row[n] > row[best]) best = n;
  return best;
}

/** The same for attention-wasm; the first token, which includes the prompt, is left out. */
export async function* generated(model) {
  let start;
  for await (const { id } of model.generate({ ids: prompt }, { maxTokens: written })) {
    if (start !== undefined) yield { id, ms: performance.now() - start };
    start = performance.now();
  }
}
