// x · W + bias for int8 weights, by the definition: rows of x quantized to 14 bits, exact sums of 2,048 products, every
// other operation rounded to float32 once. To the bit what the library computes.

const largestInteger = 8191;
const block = 2048;
const { fround } = Math;

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
