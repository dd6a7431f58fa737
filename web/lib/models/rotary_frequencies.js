// Frequencies of rotary embeddings from a config: rope_theta with rope_scaling, or rope_parameters.
// dim = rotary dimensions of a head; frequency i of dim/2 is base^(-2i/dim), then scaled:
//   linear    f / factor
//   llama3    f / factor for long wavelengths, f for short ones, interpolated between
//   yarn      a ramp from f to f / factor over the dimensions, cos and sin times a factor (Peng et al., 2023)
//   longrope  each f / its own factor, cos and sin times a factor (Ding et al., 2024; formerly called su); limited to
//             original_max_position_embeddings, beyond which other factors apply
//   dynamic   f; limited to max_position_embeddings, beyond which frequencies depend on the length

const maxRotaryDim = 2 ** 16;

const scalings = {
  default: (frequencies) => ({ frequencies }),

  linear(frequencies, rope) {
    const factor = rope.number('factor');
    return { frequencies: frequencies.map((f) => f / factor) };
  },

  dynamic: (frequencies, rope, { positions }) => ({ frequencies, maxLength: positions }),

  llama3(frequencies, rope) {
    const factor = rope.number('factor');
    const low = rope.number('low_freq_factor');
    const high = rope.number('high_freq_factor');
    const length = rope.integer('original_max_position_embeddings');
    return {
      frequencies: frequencies.map((f) => {
        const rotations = (length * f) / (2 * Math.PI);
        if (rotations > high) return f;
        if (rotations < low) return f / factor;
        const smooth = (rotations - low) / (high - low);
        return ((1 - smooth) * f) / factor + smooth * f;
      }),
    };
  },

  yarn(frequencies, rope, { base, dim, positions }) {
    const length = rope.integer('original_max_position_embeddings', positions);
    const factor = rope.number('factor', positions / length);
    // The dimension with this number of rotations over the length.
    const dimensionAt = (rotations) =>
      (dim * Math.log(length / (rotations * 2 * Math.PI))) / (2 * Math.log(base));
    const round = rope.flag('truncate', true) ? [Math.floor, Math.ceil] : [(x) => x, (x) => x];
    const low = Math.max(round[0](dimensionAt(rope.number('beta_fast', 32))), 0);
    const high = Math.min(round[1](dimensionAt(rope.number('beta_slow', 1))), dim - 1);
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
    const factors = rope.numbers('short_factor', frequencies.length);
    const maxLength = rope.integer('original_max_position_embeddings', original, 2);
    const growth = Math.max(rope.number('factor', positions / maxLength), 1);
    const defaultFactor = Math.sqrt(1 + Math.log(growth) / Math.log(maxLength));
    return {
      factor: rope.number('attention_factor', defaultFactor),
      frequencies: frequencies.map((f, i) => f / factors[i]),
      maxLength,
    };
  },
};
scalings.su = scalings.longrope;

function attentionFactor(rope, factor) {
  const scaleFor = (by) => (factor <= 1 ? 1 : 0.1 * by * Math.log(factor) + 1);
  if (rope.get('attention_factor') !== undefined) return rope.number('attention_factor');
  const [scale, all] = [rope.number('mscale', 0), rope.number('mscale_all_dim', 0)];
  return scale && all ? scaleFor(scale) / scaleFor(all) : scaleFor(1);
}

/**
 * { rotary, maxLength? }: the option of TransformerLayer, and the maximum length in tokens if there is one.
 *
 * @param {{ keyDim: number, fraction?: number, base?: number }} defaults fraction: rotary fraction of a head's dimensions
 */
export function rotaryOf(c, { keyDim, fraction = 1, base = 10_000 }) {
  const rope = c.nested('rope_parameters') ?? c.nested('rope_scaling');
  const theta = rope?.get('rope_theta') === undefined ? c : rope;
  const rotaryFraction = rope?.number('partial_rotary_factor', fraction) ?? fraction;
  const dim = Math.trunc(keyDim * rotaryFraction);
  if (dim < 2 || dim % 2 !== 0 || dim > keyDim || dim > maxRotaryDim) {
    throw new RangeError(
      `the rotary dimension must be even, from 2 to the head size ${keyDim}, found ${dim}`,
    );
  }
  const rotaryBase = theta.number('rope_theta|rotary_emb_base', base);
  const frequencies = Array.from({ length: dim / 2 }, (_, i) => rotaryBase ** ((-2 * i) / dim));
  const kind = rope?.require(
    rope.get('rope_type') === undefined ? 'type' : 'rope_type',
    ...Object.keys(scalings),
  );
  const positions = c.integer('max_position_embeddings', 2048);
  const original = c.integer('original_max_position_embeddings', positions);
  const context = { base: rotaryBase, dim, positions, original };
  const scaled = scalings[kind ?? 'default'](frequencies, rope, context);
  const { maxLength, ...frequencyOptions } = scaled;
  return { rotary: { width: dim, ...frequencyOptions }, maxLength };
}
