// The two builds of onnxruntime share this: sessions of the graphs, run from arrays to arrays.

import { onnxGraphs } from '../onnx_graphs.js';

/**
 * @param {object} runtime onnxruntime's module
 * @param {object} sessionOptions
 * @returns the ways to compute a shape, by name
 */
export function waysOf({ InferenceSession, Tensor }, sessionOptions) {
  return (shape, inputs) =>
    Object.entries(onnxGraphs(shape, inputs)).map(([name, graph]) => ({
      name,
      layout: graph.layout,
      async prepare() {
        const session = await InferenceSession.create(graph.model(), {
          graphOptimizationLevel: 'all',
          ...sessionOptions,
        });
        const arrays = graph.layout === 'x' ? inputs : inputs[graph.layout];
        const close = () => session.release();
        if (graph.steps) return { run: () => graph.steps(session, Tensor), close };
        return {
          async run() {
            const feeds = {};
            for (const [input, dims] of Object.entries(graph.feeds)) {
              feeds[input] = new Tensor('float32', arrays[input], dims);
            }
            const results = await session.run(feeds);
            return { output: results.output.data, weights: results.weights?.data };
          },
          close,
        };
      },
    }));
}
