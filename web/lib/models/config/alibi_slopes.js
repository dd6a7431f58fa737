// ALiBi slopes (Press et al., 2021): of a power of two n heads, head h has 2^(-8 (h + 1) / n); for other numbers those of the
// largest power of two below, then every other one of twice that.
const ofPower = (n, max) => Array.from({ length: n }, (_, h) => 2 ** ((-max * (h + 1)) / n));

/** The slope of each head. */
export function alibiSlopes(heads) {
  const power = 2 ** Math.floor(Math.log2(heads));
  const others = ofPower(2 * power, 8).filter((_, h) => h % 2 === 0);
  return [...ofPower(power, 8), ...others.slice(0, heads - power)];
}

/** MPT: for other numbers than powers of two, the slopes of the next one, those of odd heads first. */
export function mptSlopes(heads, max) {
  const slopes = ofPower(2 ** Math.ceil(Math.log2(heads)), max);
  if (slopes.length === heads) return slopes;
  const every = (rest) => slopes.filter((_, h) => h % 2 === rest);
  return [...every(1), ...every(0)].slice(0, heads);
}
