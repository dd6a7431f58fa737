// Bytes of a GGUF file, version 3 (ggml, docs/gguf.md): header, key-values, the tensors' names, extents and places, then
// their float32 numbers, each at a multiple of 32 bytes.

const alignment = 32;
const types = { integers: 4, floats: 6, flags: 7, strings: 8 };

/** Little-endian fields, one behind the other. */
class Fields {
  #parts = [];

  #add(size, write) {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    this.#parts.push(new Uint8Array(view.buffer));
  }

  uint32 = (value) => this.#add(4, (view) => view.setUint32(0, value, true));
  uint64 = (value) => this.#add(8, (view) => view.setBigUint64(0, BigInt(value), true));

  string(text) {
    const bytes = new TextEncoder().encode(text);
    this.uint64(bytes.length);
    this.#parts.push(bytes);
  }

  value = {
    integers: this.uint32,
    floats: (value) => this.#add(4, (view) => view.setFloat32(0, value, true)),
    flags: (value) => this.#add(1, (view) => view.setUint8(0, Number(value))),
    strings: (value) => this.string(value),
  };

  bytes = () => Buffer.concat(this.#parts);
}

const padded = (size) => Math.ceil(size / alignment) * alignment;

/**
 * @param {{ integers?: object, floats?: object, flags?: object, strings?: object }} keyValues values by key, by type
 * @param {Map<string, { data: Float32Array, dims: number[] }>} tensors by name; dims as in safetensors, rows first
 */
export function ggufBytes(keyValues, tensors) {
  const fields = new Fields();
  const entries = Object.entries(keyValues).flatMap(([type, values]) =>
    Object.entries(values).map(([key, value]) => ({ type, key, value })),
  );
  fields.uint32(0x46554747);
  fields.uint32(3);
  fields.uint64(tensors.size);
  fields.uint64(entries.length);
  for (const { type, key, value } of entries) {
    fields.string(key);
    fields.uint32(types[type]);
    fields.value[type](value);
  }
  let place = 0;
  for (const [name, { data, dims }] of tensors) {
    fields.string(name);
    fields.uint32(dims.length);
    for (const extent of dims.toReversed()) fields.uint64(extent);
    fields.uint32(0); // float32
    fields.uint64(place);
    place += padded(data.byteLength);
  }
  const header = fields.bytes();
  const file = Buffer.alloc(padded(header.length) + place);
  file.set(header);
  place = padded(header.length);
  for (const { data } of tensors.values()) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), place);
    place += padded(data.byteLength);
  }
  return file;
}
