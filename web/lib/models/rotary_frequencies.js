// Angles per position of rotary embeddings, as configs state them: rope_theta with rope_scaling, or rope_parameters.
// dim = numbers of a head that are turned; frequency i of dim/2 is base^(-2i/dim), then scaled:
//   linear    f / factor
//   llama3    f / factor below one wavelength, f above another, and between them a mixture
//   yarn      a ramp from f to f / factor over the dimensions, cos and sin times a factor (Peng et al., 2023)
//   longrope  f over a factor of its own, cos and sin times a factor (Ding et al., 2024; su is its older name); beyond
//             original_max_position_embeddings the factors would be others
//   dynamic   f itself up to max_position_embeddings, beyond which the frequencies would depend on the length

const widest = 2 ** 16;

const scalings = {
  default: (frequencies) => ({ frequencies }),

  linear(frequencies, rope) {
    const factor = rope.number('factor');
    return { frequencies: frequencies.map((f) => f / factor) };
  },

  dynamic: (frequencies, rope, { positions }) => ({ frequencies, longest: positions }),

  llama3(frequencies, rope) {
    const factor = rope.number('factor');
    const low = rope.number('low_freq_factor');
    const high = rope.number('high_freq_factor');
    const length = rope.whole('original_max_position_embeddings');
    return {
      frequencies: frequencies.map((f) => {
        const turns = (length * f) / (2 * Math.PI);
        if (turns > high) return f;
        if (turns < low) return f / factor;
        const smooth = (turns - low) / (high - low);
        return ((1 - smooth) * f) / factor + smooth * f;
      }),
    };
  },

  yarn(frequencies, rope, { base, dim, positions }) {
    const length = rope.whole('original_max_position_embeddings', positions);
    const factor = rope.number('factor', positions / length);
    // The dimension that turns so often over the length.
    const at = (turns) => (dim * Math.log(length / (turns * 2 * Math.PI))) / (2 * Math.log(base));
    const whole = rope.flag('truncate', true) ? [Math.floor, Math.ceil] : [(x) => x, (x) => x];
    const low = Math.max(whole[0](at(rope.number('beta_fast', 32))), 0);
    const high = Math.min(whole[1](at(rope.number('beta_slow', 1))), dim - 1);
    const width = high === low ? 0.001 : high - low;
    return {
      factor: attentionFactor(rope, factor),
      frequencies: frequencies.map((f, i) => {
        const ramp = Math.min(Math.max((i - low) / width, 0), 1);
        return (f / factor) * ramp + f * (1 - ramp);
      }),
    };
  },

  longrope(frequencies, rope, { positions, original }) {
    const shares = rope.numbers('short_factor', frequencies.length);
    const longest = rope.whole('original_max_position_embeddings', original, 2);
    const grown = Math.max(rope.number('factor', positions / longest), 1);
    const usual = Math.sqrt(1 + Math.log(grown) / Math.log(longest));
    return {
      factor: rope.number('attention_factor', usual),
      frequencies: frequencies.map((f, i) => f / shares[i]),
      longest,
    };
  },
};
scalings.su = scalings.longrope;

function attentionFactor(rope, factor) {
  const grown = (by) => (factor <= 1 ? 1 : 0.1 * by * Math.log(factor) + 1);
  if (rope.get('attention_factor') !== undefined) return rope.number('attention_factor');
  const [scale, all] = [rope.number('mscale', 0), rope.number('mscale_all_dim', 0)];
  return scale && all ? grown(scale) / grown(all) : grown(1);
}

/**
 * { rotary, longest? }: the layer's option, and the longest text where there is a limit.
 *
 * @param {{ keyDim: number, share?: number, base?: number }} of share: of a head's numbers that are turned
 */
export function rotaryOf(c, { keyDim, share = 1, base = 10_000 }) {
  const rope = c.within('rope_parameters') ?? c.within('rope_scaling');
  const theta = rope?.get('rope_theta') === undefined ? c : rope;
  const turned = rope?.number('partial_rotary_factor', share) ?? share;
  const dim = Math.trunc(keyDim * turned);
  if (dim < 2 || dim % 2 !== 0 || dim > keyDim || dim > widest) {
    throw new RangeError(`${dim} numbers of each head are to be turned, which are ${keyDim}`);
  }
  const start = theta.number('rope_theta|rotary_emb_base', base);
  const frequencies = Array.from({ length: dim / 2 }, (_, i) => start ** ((-2 * i) / dim));
  const kind = rope?.require(
    rope.get('rope_type') === undefined ? 'type' : 'rope_type',
    ...Object.keys(scalings),
  );
  const positions = c.whole('max_position_embeddings', 2048);
  const original = c.whole('original_max_position_embeddings', positions);
  const known = { base: start, dim, positions, original };
  const scaled = scalings[kind ?? 'default'](frequencies, rope, known);
  const { longest, ...turns } = scaled;
  return { rotary: { width: dim, ...turns }, longest };
}
