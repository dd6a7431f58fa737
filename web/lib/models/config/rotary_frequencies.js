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
    const factor = rope.positive('factor');
    return { scaling: { factor }, frequencies: frequencies.map((f) => f / factor) };
  },

  dynamic: (frequencies, rope, { positions }) => ({ frequencies, maxLength: positions }),

  llama3(frequencies, rope) {
    const factor = rope.positive('factor');
    const low = rope.number('low_freq_factor');
    const high = rope.number('high_freq_factor');
    const length = rope.integer('original_max_position_embeddings');
    return {
      scaling: { factor },
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
    const factor = rope.positive('factor', positions / length);
    // The dimension with this number of rotations over the length.
    const dimensionAt = (rotations) =>
      (dim * Math.log(length / (rotations * 2 * Math.PI))) / (2 * Math.log(base));
    const round = rope.flag('truncate', true) ? [Math.floor, Math.ceil] : [(x) => x, (x) => x];
    const low = Math.max(round[0](dimensionAt(rope.number('beta_fast', 32))), 0);
    const high = Math.min(round[1](dimensionAt(rope.number('beta_slow', 1))), dim - 1);
    const width = high === low ? 0.001 : high - low;
    return {
      scaling: { factor },
      factor: attentionFactor(rope, factor),
      frequencies: frequencies.map((f, i) => {
        const ramp = Math.min(Math.max((i - low) / width, 0), 1);
        return (f / factor) * ramp + f * (1 - ramp);
      }),
    };
  },

  longrope(frequencies, rope, { positions, original }) {
    const factors = rope.numbers('short_factor', frequencies.length);
    rope.list('long_factor'); // for longer texts, which are refused
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
const publicNames = { su: 'longrope' };

function attentionFactor(rope, factor) {
  const scaleFor = (by) => (factor <= 1 ? 1 : 0.1 * by * Math.log(factor) + 1);
  if (rope.get('attention_factor') !== undefined) return rope.number('attention_factor');
  const [scale, all] = [rope.number('mscale', 0), rope.number('mscale_all_dim', 0)];
  return scale && all ? scaleFor(scale) / scaleFor(all) : scaleFor(1);
}

/** The type of a scaling; without one, only fields of rope_parameters that scale nothing may be present. */
function typeOf(rope, isOptional) {
  const plain = ['rope_theta', 'partial_rotary_factor'];
  if (isOptional && rope.names.every((field) => plain.includes(field))) return 'default';
  rope.requireOne('rope_type|type');
  const name = rope.get('rope_type') === undefined ? 'type' : 'rope_type';
  return rope.require(name, ...Object.keys(scalings));
}

/** Frequencies of width / 2 pairs of dimensions, in radians per position. */
export const plainFrequencies = (width, theta) =>
  Array.from({ length: width / 2 }, (_, i) => theta ** ((-2 * i) / width));

/** The theta of a scaling, else that of its layer type, else that of the config. */
function thetaOf(c, rope, { theta, base = 10_000 }) {
  c.get('rope_theta'); // known, but that of a scaling comes first
  if (rope?.get('rope_theta') !== undefined) return rope.positive('rope_theta');
  return theta ?? c.positive('rope_theta|rotary_emb_base', base);
}

/**
 * Returns { rotary, maxLength? } of a stack or of one layer type. rope: ConfigFields of the scaling of its frequencies, or
 * undefined without one.
 */
function rotaryFrom(c, rope, isTypeOptional, sizes) {
  const { keyDim, fraction = 1 } = sizes;
  const rotaryFraction = rope?.number('partial_rotary_factor', fraction) ?? fraction;
  const dim = sizes.dim ?? Math.trunc(keyDim * rotaryFraction);
  if (dim < 2 || dim % 2 !== 0 || dim > keyDim || dim > maxRotaryDim) {
    const max = Math.min(keyDim, maxRotaryDim);
    throw new RangeError(
      `the rotary dimension of config.json must be even, from 2 to ${max === keyDim ? 'the head size ' : ''}${max}, found ${dim}`,
    );
  }
  const rotaryBase = thetaOf(c, rope, sizes);
  const frequencies = plainFrequencies(dim, rotaryBase);
  const kind = rope ? typeOf(rope, isTypeOptional) : 'default';
  const positions = c.integer('max_position_embeddings', 2048);
  const original = c.integer('original_max_position_embeddings', positions);
  const context = { base: rotaryBase, dim, positions, original };
  const { maxLength, scaling, ...frequencyOptions } = scalings[kind](frequencies, rope, context);
  if (!frequencyOptions.frequencies.every((f) => Number.isFinite(Math.fround(f)))) {
    throw new RangeError(`the rotary frequencies of config.json are not finite float32 numbers`);
  }
  const isScaled = kind !== 'default';
  return {
    rotary: {
      ...{ width: dim, theta: rotaryBase, ...frequencyOptions },
      ...(isScaled && { scaling: { type: publicNames[kind] ?? kind, ...scaling } }),
    },
    maxLength,
  };
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A function from a layer index to its type, one of `types`, as layer_types names it. */
function namedTypes(c, types, layers) {
  const only = types.length === 1 ? Array(layers).fill(types[0]) : undefined;
  const named = c.requireEach('layer_types', c.list('layer_types') ?? only ?? [], layers, types);
  return (n) => named[n];
}

/** The frequencies of each layer type: rope_parameters = { full_attention: { … }, sliding_attention: { … } }. */
function rotaryByType(c, parameters, layers, { thetas, typeOf: typeOfLayer, ...sizes }) {
  const present = parameters.names.filter((type) => parameters.get(type) !== undefined);
  const types = thetas ? Object.keys(thetas) : present;
  const typeAt = typeOfLayer ?? namedTypes(c, types, layers);
  const found = Object.fromEntries(
    types.map((type) => {
      const own = { ...sizes, theta: thetas?.[type] };
      return [type, rotaryFrom(c, parameters.nested(type), true, own)];
    }),
  );
  const lengths = Array.from({ length: layers }, (_, n) => found[typeAt(n)].maxLength ?? Infinity);
  const maxLength = Math.min(...lengths);
  return {
    rotary: found[typeAt(0)].rotary,
    optionsOf: (n) => ({ rotary: found[typeAt(n)].rotary }),
    maxLength: maxLength === Infinity ? undefined : maxLength,
  };
}

/**
 * { rotary, optionsOf?, maxLength? }: rotary { width, theta, frequencies?, factor?, interleaved?, scaling? }, without
 * frequencies those of theta; its value per layer if they differ; the maximum length in tokens if there is one.
 *
 * @param {number} layers their number
 * @param {object} sizes keyDim; fraction: rotary fraction of a head's dimensions, or dim: their number; base: default of
 *   rope_theta; families whose layer types have thetas of their own: thetas, by type, and typeOf(n), the type of a layer
 */
export function rotaryOf(c, layers, sizes) {
  const parameters = c.nested('rope_parameters');
  const values = parameters?.names.map((name) => parameters.get(name)) ?? [];
  if (values.length > 0 && values.every((value) => value === undefined || isObject(value))) {
    return rotaryByType(c, parameters, layers, sizes);
  }
  return rotaryFrom(c, parameters ?? c.nested('rope_scaling'), parameters !== undefined, sizes);
}
