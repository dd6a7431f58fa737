// Few rows times a matrix by Linear, beside the limit that memory sets: a loop in WebAssembly that only reads as many bytes.
// Limit, types and builds take turns, and there are so many copies of each matrix that they do not stay in a cache.
import { asBfloat16, asFloat16, asInt8 } from '../support/js/narrowed.js';
import { normalTensor, seeded } from '../support/js/random_tensors.js';
import {
  add,
  addLanes,
  constant,
  get,
  i32,
  list,
  load,
  loopWhile,
  multiplyAddPeak,
  section,
  set,
  store,
  text,
  v128,
} from './multiply_add_peak.js';

const shapes = [
  [768, 768],
  [768, 3072],
  [3072, 768],
  [768, 50_257],
];
const mostBytes = 160e6; // of the copies of a matrix
const mostCopies = 24;
const types = {
  float32: { bytes: 4, from: (tensor) => tensor },
  float16: { bytes: 2, from: asFloat16 },
  'float16 with subnormals': { bytes: 2, from: withSubnormals },
  bfloat16: { bytes: 2, from: asBfloat16 },
  int8: { bytes: 1, from: asInt8 },
};

/** As many subnormal numbers as there are among normal ones of this deviation; asFloat16 makes them 0. */
function withSubnormals(tensor) {
  const narrow = asFloat16(tensor);
  narrow.data.forEach((bits, at) => {
    if ((bits & 0x7fff) === 0) narrow.data[at] = bits | 0x200;
  });
  return narrow;
}

const sums = 8; // vectors: enough to hide the latency of an addition

/** (address, bytes) → nothing: adds the vectors of a range in memory, read in one or several places in turn. */
function readingCode(places) {
  const [address, bytes, end] = [0, 1, 2];
  const at = (place) => 3 + place;
  const sum = (n) => 3 + places + n;
  const each = (count, part) => Array.from({ length: count }, (_, n) => part(n)).flat();
  const vectors = sums / places;
  const step = [
    ...each(places, (place) =>
      each(vectors, (n) => [
        ...get(sum(place * vectors + n)),
        ...get(at(place)),
        ...load(16 * n),
        ...addLanes,
        ...set(sum(place * vectors + n)),
      ]),
    ),
    ...each(places, (place) => [
      ...get(at(place)),
      ...constant(16 * vectors),
      ...add,
      ...set(at(place)),
    ]),
  ];
  const divide = [0x6e];
  const begin = each(places, (place) => [
    ...(place === 0 ? get(address) : [...get(at(place - 1)), ...get(bytes), ...add]),
    ...set(at(place)),
  ]);
  return list([
    ...list([
      [1 + places, i32],
      [sums, v128],
    ]),
    ...[...get(bytes), ...constant(places), ...divide, ...set(bytes)],
    ...begin,
    ...[...get(address), ...get(bytes), ...add, ...set(end)],
    ...loopWhile(step, [...get(at(0)), ...get(end), 0x49]), // while the first place is below its end
    ...each(sums, (n) => [...constant(0), ...get(sum(n)), ...store(16 * n)]),
    0x0b,
  ]);
}

/** (address, bytes) → nothing: writes a range, because memory that was not written is one page of zeros. */
const writingCode = list([0, ...get(0), ...constant(1), ...get(1), 0xfc, 11, 0, 0x0b]);

/** @returns {(() => void)[]} reads all of `copies` times `bytes`, in one, two and four places */
function readers(bytes, copies) {
  const whole = Math.ceil(bytes / 512) * 512;
  const pages = Math.ceil((whole * copies) / 65_536) + 1;
  const memory = new WebAssembly.Memory({ initial: pages });
  return [1, 2, 4].map((places) => {
    const module = Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, [[0x60, ...list([i32, i32].map((type) => [type])), ...list([])]]),
      ...section(2, [[...text('env'), ...text('memory'), 2, 0, 1]]),
      ...section(3, [[0], [0]]),
      ...section(7, [
        [...text('read'), 0, 0],
        [...text('write'), 0, 1],
      ]),
      ...section(10, [readingCode(places), writingCode]),
    ]);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), {
      env: { memory },
    });
    exports.write(0, pages * 65_536);
    return () => {
      for (let copy = 0; copy < copies; copy++) exports.read(65_536 + copy * whole, whole);
    };
  });
}

/**
 * @param {object} options
 * @param {[string, string][]} options.builds names and folders of `web/built`, as URLs
 * @param {boolean} [options.fused] with the kernels of attention-wasm/fused
 * @param {string[]} [options.only] types
 * @param {string} [options.shape] one of them, as '768x3072'
 * @param {number} [options.rounds]
 * @param {(line: string) => void} report
 */
export async function measureFewRows(
  { builds, fused, only = ['float32', 'float16', 'bfloat16', 'int8'], shape, rounds = 15 },
  report,
) {
  const apis = [];
  for (const [name, folder] of builds) {
    const kernels = fused ? (await import(`${folder}/fused.js`)).fused : 'simd';
    const api = await (await import(`${folder}/index.js`)).loadAttention({ kernels });
    if (fused && api.kernels !== 'fused') throw new Error('there is no relaxed SIMD here');
    apis.push([name, api]);
  }
  const peak = multiplyAddPeak({ fused });
  const random = seeded('few rows');
  const wanted = shapes.filter((one) => shape === undefined || one.join('x') === shape);
  for (const [inputs, outputs] of wanted) {
    const numbers = inputs * outputs;
    const copies = Math.max(1, Math.min(mostCopies, Math.floor(mostBytes / (4 * numbers))));
    const timed = readers(4 * numbers, copies).map((run, n) => ({ key: `limit ${n}`, run }));
    const weight = normalTensor(random, [outputs, inputs], inputs ** -0.5);
    const layers = [];
    for (const type of only) {
      const stored = types[type].from(weight);
      for (const [name, { Linear }] of apis) {
        const maps = Array.from({ length: copies }, () => Linear.fromTorch({ weight: stored }));
        layers.push(...maps);
        for (const rows of [1, 2, 4]) {
          const x = normalTensor(random, [rows, inputs]);
          const run = () => maps.forEach((map) => map.forward(x));
          timed.push({ key: `${name} ${type} ${rows}`, run });
        }
      }
    }
    const least = {};
    for (let round = 0; round < rounds; round++) {
      for (const { key, run } of timed) {
        const start = performance.now();
        run();
        const microseconds = ((performance.now() - start) * 1000) / copies;
        least[key] = Math.min(least[key] ?? Infinity, microseconds);
      }
    }
    layers.forEach((layer) => layer.delete());
    const limit = Math.min(...[0, 1, 2].map((n) => least[`limit ${n}`]));
    const gigabytes = [0, 1, 2].map((n) => ((4 * numbers) / least[`limit ${n}`] / 1000).toFixed(1));
    report(`${inputs} → ${outputs}: reads ${gigabytes.join(', ')} GB/s in 1, 2, 4 places`);
    const gigaflops = peak();
    for (const rows of [1, 2, 4]) {
      const arithmetic = (2 * numbers * rows) / gigaflops / 1000;
      for (const [name] of apis) {
        const cells = only.map((type) => {
          const time = least[`${name} ${type} ${rows}`];
          const reading = (limit * types[type].bytes) / 4;
          const share = (Math.max(reading, arithmetic) / time).toFixed(2);
          const ratio = (time / least[`${name} float32 ${rows}`]).toFixed(2);
          const ofFloat32 = type === 'float32' || !only.includes('float32') ? '' : `, ${ratio}×`;
          return `${type} ${time.toFixed(0)} µs, ${share} of the limit${ofFloat32}`;
        });
        report(`${rows} × ${inputs} → ${outputs} | ${name} | ${cells.join(' | ')}`);
      }
    }
  }
}

if (globalThis.document) globalThis.measureFewRows = measureFewRows;
