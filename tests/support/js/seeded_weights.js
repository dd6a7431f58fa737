// The weights of tests/vectors/models.json, which are not stored: number i of the tensor called name is number i of a
// generator (mulberry32) seeded by the name (FNV-1a), as in models.py.
const ofWord = (x) => x >>> 0;

/** count numbers from -1 to 1. */
export function seededNumbers(name, count) {
  let seed = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name))
    seed = ofWord(Math.imul(seed ^ byte, 0x01000193));
  return Float64Array.from({ length: count }, () => {
    seed = ofWord(seed + 0x6d2b79f5);
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ofWord(t ^ (t >>> 14)) / 2 ** 31 - 1;
  });
}

/** Bits of a multiple of 1/64 below 2: exact in both types. */
const bitsOf = {
  bfloat16: (x) => new Uint32Array(Float32Array.of(x).buffer)[0] >>> 16,
  float16(x) {
    if (x === 0) return 0;
    const exponent = Math.floor(Math.log2(Math.abs(x)));
    const fraction = Math.abs(x) / 2 ** exponent - 1;
    return (x < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | (fraction * 1024);
  },
};

function tensorOf(name, dims, type) {
  const count = dims.reduce((product, dim) => product * dim, 1);
  const isVector = dims.length === 1;
  const scales = isVector && !/(bias|beta)$/.test(name);
  const numbers = seededNumbers(name, count).map((x) => {
    const scaled = scales ? 1 + 0.4 * x : (isVector ? 0.3 : 0.8) * x;
    return Math.floor(scaled * 64 + 0.5) / 64;
  });
  if (type === 'float32') return { data: Float32Array.from(numbers), dims, type };
  return { data: Uint16Array.from(numbers, bitsOf[type]), dims, type };
}

/** Tensors by name, of a case of the fixture. */
export const seededWeights = ({ shapes, type = 'float32' }) =>
  new Map(Object.entries(shapes).map(([name, dims]) => [name, tensorOf(name, dims, type)]));

/** The inputs of a case. */
export function seededInput({ input }) {
  if (!input.pixels) return input;
  const dims = input.pixels;
  const count = dims.reduce((product, dim) => product * dim, 1);
  return { pixels: { data: Float32Array.from(seededNumbers('pixels', count)), dims } };
}
