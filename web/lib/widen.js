// A tensor of any accepted type as one of float32 with memory of its own.

/** Turned by the module by no angle at all, which converts it. */
export function widened(heap, tensor) {
  const { data, dims } = tensor;
  if (data.length === 0) return { ...tensor, data: new Float32Array(0), type: 'Float32Array' };
  const x = { ...tensor, dims: [1, data.length] };
  const { output } = heap.call('rotaryEmbedding', { x, width: 0 });
  return { name: tensor.name, data: output.data, type: 'Float32Array', dims };
}
