// x · W + bias for int8 weights, by the definition: rows of x quantized to 14 bits, exact sums of 2,048 products, every
// other operation rounded to float32 once. To the bit what the library computes.

const largestInteger = 8191;
const block = 2048;
const { fround } = Math;

/**
 * Rows of x quantized to 14 bits, as float64 numbers a_k · m / 8191, so that products with them are those of the definition
 * but for its roundings. `nudge` moves every number by so much of a step before it is rounded.
 */
export function quantizedRows({ data, dims }, nudge = 0) {
  const width = dims.at(-1);
  const quantized = new Float64Array(data.length);
  for (let start = 0; start < data.length; start += width) {
    const row = data.subarray(start, start + width);
    const range = row.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0);
    const steps = fround(largestInteger / range);
    row.forEach((number, k) => {
      const integer = nearestEven(fround(number * steps) + nudge);
      quantized[start + k] = range === 0 ? 0 : (integer * range) / largestInteger;
    });
  }
  return { data: quantized, dims };
}

/** int8 weights for the oracles of layers: `ofRows` changes the rows that are multiplied with `data`. */
export function integerWeights({ data, dims, scales }, layout = 'out × in', nudge = 0) {
  const width = dims.at(-1);
  if (layout === 'in × out') {
    const scaled = (x) => x.data.map((number, at) => number * scales[at % dims[0]]);
    const ofRows = (x) => quantizedRows({ data: scaled(x), dims: x.dims }, nudge);
    return { data: Float64Array.from(data), dims, ofRows };
  }
  const widened = Float64Array.from(data, (number, at) => number * scales[Math.floor(at / width)]);
  return { data: widened, dims, ofRows: (x) => quantizedRows(x, nudge) };
}

function nearestEven(x) {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** weight: int8 with a scale for each row, out × in, or in × out, whose scales belong to inputs. */
export function integerProduct(x, weight, bias, layout = 'out × in') {
  const isInByOut = layout === 'in × out';
  const [out, width] = isInByOut ? weight.dims.toReversed() : weight.dims;
  const rows = x.data.length / width;
  const data = new Float32Array(rows * out);
  for (let i = 0; i < rows; i++) {
    const row = x.data
      .subarray(i * width, (i + 1) * width)
      .map((number, k) => (isInByOut ? number * weight.scales[k] : number));
    const range = row.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0);
    const factor = fround(range / largestInteger);
    const integers = row.map((number) =>
      nearestEven(fround(number * fround(largestInteger / range))),
    );
    for (let o = 0; o < out; o++) {
      let sum = 0;
      for (let first = 0; first < width; first += block) {
        let exact = 0;
        for (let k = first; k < Math.min(first + block, width); k++) {
          exact += integers[k] * weight.data[isInByOut ? k * out + o : o * width + k];
        }
        sum = fround(sum + fround(exact));
      }
      const scale = fround(factor * (isInByOut ? 1 : weight.scales[o]));
      data[i * out + o] = fround(sum * scale) + (bias ? bias.data[o] : 0);
    }
  }
  return { data, dims: [rows, out] };
}
