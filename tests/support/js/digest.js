// A SHA-256 over the bits of results: their paths, names, dims and numbers, in the order given. All NaNs count as
// equal, since wasm does not specify their bits; 0 and -0 differ.
import { createHash } from 'node:crypto';

/** { add(path, results), hex(), numbers }: results are tensors, arrays of numbers, or objects of them. */
export function resultDigest() {
  const hash = createHash('sha256');
  let numbers = 0;
  return {
    add(path, results) {
      for (const [name, dims, data] of tensorsOf(path, results)) {
        hash.update(`${name} ${dims.join('×')}\n`).update(bytesOf(data));
        numbers += data.length;
      }
    },
    hex: () => hash.copy().digest('hex'),
    get numbers() {
      return numbers;
    },
  };
}

function* tensorsOf(path, results) {
  if (results instanceof Float32Array) {
    yield [path, [results.length], results];
  } else if (results.data) {
    yield [path, results.dims, results.data];
  } else {
    for (const name of Object.keys(results).sort()) {
      yield* tensorsOf(`${path} ${name}`, results[name]);
    }
  }
}

function bytesOf(data) {
  if (!(data instanceof Float32Array)) throw new TypeError(`results are float32, not ${data}`);
  const canonical = data.slice();
  const bits = new Uint32Array(canonical.buffer);
  data.forEach((x, at) => {
    if (Number.isNaN(x)) bits[at] = 0x7fc00000;
  });
  return new Uint8Array(canonical.buffer);
}
