// A tensor of any accepted type as one of float32 with memory of its own.

/** The module widens whatever it computes with: here that of a rotation of no number of a row. */
export function widened(heap, tensor) {
  const { name, data, dims } = tensor;
  const wide = { name, type: 'Float32Array', dims, scales: undefined };
  if (data.length === 0) return { ...wide, data: new Float32Array(0) };
  const width = dims.at(-1);
  const x = { ...tensor, dims: [data.length / width, width] };
  return { ...wide, data: heap.call('rotaryEmbedding', { x, width: 0 }).output.data };
}
