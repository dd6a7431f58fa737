// Conversion of a tensor of any accepted type to float32, as a copy.

/** Uses the conversion of the module: a rotary embedding of width 0 changes no number. */
export function toFloat32(heap, tensor) {
  const { name, data, dims } = tensor;
  const wide = { name, type: 'Float32Array', dims, scales: undefined };
  if (data.length === 0) return { ...wide, data: new Float32Array(0) };
  const width = dims.at(-1);
  const x = { ...tensor, dims: [data.length / width, width] };
  return { ...wide, data: heap.call('rotaryEmbedding', { x, width: 0 }).output.data };
}
