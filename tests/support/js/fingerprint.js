// A fingerprint of the dims and bits of results, the same in every programming language: FNV-1a over 32-bit words, twice
// with different initial values. All NaNs count as equal. tests/support/cpp/fingerprint.h computes the same.

export function startFingerprint() {
  const state = Int32Array.of(0x811c9dc5, 0x2f0b4a27);
  const mix = (word) => {
    for (let half = 0; half < 2; half++) state[half] = Math.imul(state[half] ^ word, 0x01000193);
    state[1] ^= state[1] >>> 15;
  };
  return {
    add({ dims, data }) {
      mix(dims.length);
      for (const dim of dims) mix(dim);
      const words = new Uint32Array(data.buffer, data.byteOffset, data.length);
      data.forEach((number, at) => mix(Number.isNaN(number) ? 0x7fc00000 : words[at]));
    },
    text: () => [...state].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(''),
  };
}

/** The fingerprint of tensors, one after the other. */
export function fingerprintOf(tensors) {
  const fingerprint = startFingerprint();
  for (const tensor of tensors) fingerprint.add(tensor);
  return fingerprint.text();
}

/** Results by name, in the order of their names. */
export function addInOrder(fingerprint, results) {
  for (const name of Object.keys(results).sort()) fingerprint.add(results[name]);
}
