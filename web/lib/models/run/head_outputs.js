// The option headOutputs of run(): z_h·W_O^h of each head, by stack and layer.

/** The captures that the option needs: true, or layer indices. */
export const headOutputCaptures = ({ stacks }, layers) =>
  (stacks.self ? ['self'] : ['encoder', 'decoder', 'cross']).map((stack) => ({
    at: 'head_out',
    stack,
    ...(layers !== true && { layer: layers }),
  }));

/** The steps of a run; adds headOutputs to its result. */
export function* withHeadOutputs(steps, layers) {
  const result = yield* steps;
  const headOutputs = {};
  for (const { at, layer, stack, tensor } of result.captured) {
    if (at !== 'head_out' || !(layers === true || layers.includes(layer))) continue;
    (headOutputs[stack] ??= []).push(tensor);
  }
  return { ...result, headOutputs };
}
