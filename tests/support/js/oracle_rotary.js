// The oracle of rotaryEmbedding(), in float64, knowing nothing of the library. Given Math.fround as `round`
// the rotation is done in float32; angles are always float64, or late positions would have no digits left.
//
//   (a, b) → (a·cos θ − b·sin θ, a·sin θ + b·cos θ)   θ = p · base^(−2c/width) for pair c at position p
import { joinHeads, splitHeads, unrounded, zeros } from './oracle_layout.js';

/** x rotated: { dims, data: Float64Array }. */
export function oracleRotaryEmbedding(x, options = {}, round = unrounded) {
  const split = splitHeads(x, options.heads ?? 1);
  const [batch, heads, rows, d] = split.dims;
  const { width = d, interleaved = false, base = 10000, offset = 0, positions } = options;
  const half = width / 2;
  const out = zeros(split.dims);
  out.data.set(split.data);
  const turn = (b, i, c) => {
    if (options.cos) return [options.cos.data[i * half + c], options.sin.data[i * half + c]];
    const list = positions && (positions.length === rows ? positions[i] : positions[b * rows + i]);
    const angle = (list ?? offset + i) * base ** ((-2 * c) / width);
    return [round(Math.cos(angle)), round(Math.sin(angle))];
  };
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < rows; i++)
        for (let c = 0; c < half; c++) {
          const start = ((b * heads + h) * rows + i) * d;
          const [first, second] = interleaved ? [2 * c, 2 * c + 1] : [c, c + half];
          const [left, right] = [split.data[start + first], split.data[start + second]];
          const [cos, sin] = turn(b, i, c);
          out.data[start + first] = round(round(left * cos) - round(right * sin));
          out.data[start + second] = round(round(left * sin) + round(right * cos));
        }
  return joinHeads(out, x.dims.length);
}
