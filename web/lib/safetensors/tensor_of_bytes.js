// A tensor from its bytes: a view if they are aligned to its element size, otherwise a copy.
export function tensorOfBytes({ element: { type, List }, dims }, bytes) {
  const size = List.BYTES_PER_ELEMENT;
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return { data: new List(buffer, byteOffset, byteLength / size), dims: [...dims], type };
}
