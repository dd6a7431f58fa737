// Compares tensors with expected ones and describes the largest difference. The result is ''
// if they agree, else a sentence. Independent of any test runner.

/**
 * A float32 tensor against float64 numbers. NaN equals NaN only, an infinity only itself, and
 * with `exactZeros` a zero only a zero; other numbers agree within `tolerance`.
 */
export function explainDifference(got, want, tolerance, { exactZeros = false } = {}) {
  const shape = explainShape(got, want);
  if (shape) return shape;
  if (!(tolerance >= 0)) return `the tolerance is ${tolerance}`;
  let worst = -1;
  let largest = 0;
  let wrong = 0;
  for (let at = 0; at < want.data.length; at++) {
    const off = difference(got.data[at], want.data[at], exactZeros);
    if (off <= tolerance) continue;
    wrong++;
    if (off > largest) [worst, largest] = [at, off];
  }
  if (worst < 0) return '';
  return (
    `${wrong} of ${want.data.length} differ, worst at [${position(want.dims, worst)}]: ` +
    `${got.data[worst]} instead of ${want.data[worst]} (off by ${largest}, allowed ${tolerance})`
  );
}

/** Two float32 tensors, bit by bit: 0 is not -0. All NaNs are equal: wasm does not specify their bits. */
export function explainBitDifference(got, want) {
  const shape = explainShape(got, want);
  if (shape) return shape;
  let first = -1;
  let wrong = 0;
  for (let at = 0; at < want.data.length; at++) {
    if (Object.is(got.data[at], want.data[at])) continue;
    if (first < 0) first = at;
    wrong++;
  }
  if (first < 0) return '';
  return (
    `${wrong} of ${want.data.length} have other bits, first at [${position(want.dims, first)}]: ` +
    `${got.data[first]} instead of ${want.data[first]}`
  );
}

function explainShape(got, want) {
  if (!got) return 'missing';
  if (!(got.data instanceof Float32Array)) return 'data is not a Float32Array';
  const shown = JSON.stringify(Array.from(got.dims));
  if (shown !== JSON.stringify(Array.from(want.dims))) {
    return `dims are ${shown} instead of ${JSON.stringify(want.dims)}`;
  }
  if (got.data.length !== want.data.length) {
    return `${got.data.length} numbers instead of ${want.data.length}`;
  }
  return '';
}

// 0 if both are of the same kind, else Infinity; never NaN, so that no difference is missed.
function difference(got, want, exactZeros) {
  if (Number.isNaN(want) || Number.isNaN(got)) {
    return Number.isNaN(want) && Number.isNaN(got) ? 0 : Infinity;
  }
  if (got === want) return 0;
  if (exactZeros && want === 0) return Infinity;
  return Math.abs(got - want);
}

function position(dims, at) {
  const index = [];
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    index.unshift(at % dims[axis]);
    at = Math.floor(at / dims[axis]);
  }
  return index.join(', ');
}
