// Inputs of each attention of the translator after the norm, with queries, keys and values.

/** Hook points that the functions below need, to be captured in a stack. */
export const vectorCaptures = (stack) =>
  (stack === 'encoder' ? ['resid_pre'] : ['resid_pre', 'attn_out']).map((at) => ({ at, stack }));

const add = (a, b) => ({ data: a.data.map((x, at) => x + b.data[at]), dims: a.dims });

/** The vectors of one attention; projections get a batch axis of 1, the layout of attention(). */
const vectorsOf = (x, context, projection) => ({
  x,
  context,
  ...Object.fromEntries(
    Object.entries(projection).map(([name, { data, dims }]) => [
      name,
      { data, dims: [1, ...dims] },
    ]),
  ),
});

const capturedAt = (captured, at) =>
  captured.filter((one) => one.at === at).map(({ tensor }) => tensor);

/** norm(x, name): the norm of this name in the weights. Of a result of Stack.run() with captures and projections. */
export function encoderVectors(norm, { captured, projections }) {
  const inputs = capturedAt(captured, 'resid_pre');
  return projections.map((projection, n) => {
    const x = norm(inputs[n], `encoder.layers.${n}.norm1`);
    return vectorsOf(x, x, projection);
  });
}

/** The same of the decoder; memory: the encoder's output. */
export function decoderVectors(norm, { captured, projections, crossProjections }, memory) {
  const inputs = capturedAt(captured, 'resid_pre');
  const added = capturedAt(captured, 'attn_out');
  const decoder = projections.map((projection, n) => {
    const x = norm(inputs[n], `decoder.layers.${n}.norm1`);
    return vectorsOf(x, x, projection);
  });
  const cross = crossProjections.map((projection, n) => {
    const x = norm(add(inputs[n], added[n]), `decoder.layers.${n}.norm2`);
    return vectorsOf(x, memory, projection);
  });
  return { decoder, cross };
}
