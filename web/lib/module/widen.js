// A tensor of any accepted type as one of float32 with memory of its own.

/** Its rows are turned by the module by no angle at all, which converts them. */
export function widened(heap, tensor) {
  const { data, dims } = tensor;
  if (data.length === 0) return { ...tensor, data: new Float32Array(0), type: 'Float32Array' };
  const width = dims.at(-1);
  const x = { ...tensor, dims: [data.length / width, width] };
  const { output } = heap.call('rotaryEmbedding', { x, width: 0 });
  return { name: tensor.name, data: output.data, type: 'Float32Array', dims };
}
