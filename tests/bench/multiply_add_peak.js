// Peak multiply-add rate of one core in WebAssembly SIMD128, by a
// 4×8 tile (4 rows, 2 vectors) whose panels stay in the L1 cache. Written as bytes, so that
// every engine and every compiler measure the same loop; with relaxed SIMD on request, whose
// multiply-add is fused where the processor can.

const depth = 64; // multiply-adds per number of the tile
const operationsPerRound = 2 * 4 * 8 * depth;
const rowsAt = 0; // depth × 4 floats
const columnsAt = 4096; // depth × 8 floats
const tileAt = 8192; // 4 × 8 floats

// The parts of such modules; few_rows_in.js writes another one.
export const [i32, v128] = [0x7f, 0x7b];
const unsigned = (value) =>
  value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >> 7)];
const signed = (value) => {
  const last = value >= -64 && value < 64;
  return last ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
};
export const list = (items) => [...unsigned(items.length), ...items.flat()];
export const section = (id, items) => [id, ...list(list(items))];
export const text = (word) => list([...word].map((letter) => letter.charCodeAt(0)));

export const get = (local) => [0x20, local];
export const set = (local) => [0x21, local];
export const constant = (value) => [0x41, ...signed(value)];
export const add = [0x6a];
export const loopWhile = (body, condition) => [0x03, 0x40, ...body, ...condition, 0x0d, 0, 0x0b];
export const load = (offset) => [0xfd, 0x00, 4, ...unsigned(offset)];
const loadSplat = (offset) => [0xfd, 0x09, 2, ...unsigned(offset)];
export const store = (offset) => [0xfd, 0x0b, 4, ...unsigned(offset)];
const multiply = [0xfd, ...unsigned(0xe6)];
export const addLanes = [0xfd, ...unsigned(0xe4)];
const relaxedMultiplyAdd = [0xfd, ...unsigned(0x105)];

/** (rounds) → nothing; stores the tile, so that engines cannot skip the work. */
function code(fused) {
  const [rounds, row, column] = [0, 1, 2];
  const [left, right, splat] = [3, 4, 5];
  const tile = (r, half) => 6 + 2 * r + half;
  const multiplyAdd = (r) => [
    ...get(row),
    ...loadSplat(rowsAt + 4 * r),
    ...set(splat),
    ...[left, right].flatMap((vector, half) => [
      ...(fused ? [] : get(tile(r, half))),
      ...get(splat),
      ...get(vector),
      ...(fused ? [...get(tile(r, half)), ...relaxedMultiplyAdd] : [...multiply, ...addLanes]),
      ...set(tile(r, half)),
    ]),
  ];
  // Not unrolled: V8 would spill registers, and the counter runs in parallel with the arithmetic.
  const panel = [
    ...[...get(column), ...load(columnsAt), ...set(left)],
    ...[...get(column), ...load(columnsAt + 16), ...set(right)],
    ...[0, 1, 2, 3].flatMap(multiplyAdd),
    ...[...get(column), ...constant(32), ...add, ...set(column)],
    ...[...get(row), ...constant(16), ...add, 0x22, row], // the address stays on the stack
  ];
  const round = [
    ...[...constant(0), ...set(row), ...constant(0), ...set(column)],
    ...loopWhile(panel, [...constant(16 * depth), 0x49]), // while row < 16·depth
    ...[...get(rounds), ...constant(-1), ...add, 0x22, rounds],
  ];
  const stores = [0, 1, 2, 3].flatMap((r) =>
    [0, 1].flatMap((half) => [
      ...constant(tileAt),
      ...get(tile(r, half)),
      ...store(32 * r + 16 * half),
    ]),
  );
  const locals = list([
    [2, i32],
    [11, v128],
  ]);
  return list([...locals, ...loopWhile(round, []), ...stores, 0x0b]);
}

function module(fused) {
  const signature = [0x60, ...list([i32]), ...list([])];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [signature]),
    ...section(3, [[0]]),
    ...section(5, [[0, 1]]), // one page
    ...section(7, [[...text('run'), 0, 0]]),
    ...section(10, [code(fused)]),
  ]);
}

/**
 * @param {{ fused?: boolean }} [options] throws with `fused` where the engine has no relaxed SIMD
 * @returns {() => number} measures once, about 50 ms: GFLOP/s at best
 */
export function multiplyAddPeak({ fused = false } = {}) {
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(module(fused))).exports;
  const milliseconds = (rounds) => {
    const start = performance.now();
    run(rounds);
    return performance.now() - start;
  };
  // Many short calls: engines switch to optimized code at the next call, not within a loop.
  for (let call = 0; call < 300; call++) run(50);
  return () => {
    const rounds = 100_000;
    const min = Math.min(...Array.from({ length: 6 }, () => milliseconds(rounds)));
    return (operationsPerRound * rounds) / min / 1e6;
  };
}
