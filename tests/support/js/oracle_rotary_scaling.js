// Scaled frequencies of rotary embeddings, in float64, from the papers: linear (Chen et al., arXiv 2306.15595), llama3 (Llama
// 3.1), yarn (Peng et al., arXiv 2309.00071), longrope (Ding et al., arXiv 2402.13753). Uses no library code.

const { ceil, floor, log, max, min, PI, sqrt } = Math;

const rules = {
  default: (f) => ({ frequencies: f }),
  dynamic: (f) => ({ frequencies: f }),
  linear: (f, s) => ({ frequencies: f.map((x) => x / s.factor) }),
  llama3: (f, s) => ({
    frequencies: f.map((x) => {
      const turns = (s.original_max_position_embeddings * x) / (2 * PI); // over the trained length
      const share = (turns - s.low_freq_factor) / (s.high_freq_factor - s.low_freq_factor);
      const own = min(max(share, 0), 1);
      return (1 - own) * (x / s.factor) + own * x;
    }),
  }),
  yarn(f, s, { width, theta }) {
    const length = s.original_max_position_embeddings;
    const pairWith = (turns) => (width * log(length / (2 * PI * turns))) / (2 * log(theta));
    const first = max(floor(pairWith(s.beta_fast ?? 32)), 0);
    const last = min(ceil(pairWith(s.beta_slow ?? 1)), width - 1);
    return {
      frequencies: f.map((x, i) => {
        const share = min(max((i - first) / (last - first), 0), 1);
        return share * (x / s.factor) + (1 - share) * x;
      }),
      attentionFactor: 0.1 * log(s.factor) + 1,
    };
  },
  longrope(f, s, _, c) {
    const length = s.original_max_position_embeddings ?? c.original_max_position_embeddings;
    const growth = c.max_position_embeddings / length;
    return {
      frequencies: f.map((x, i) => x / s.short_factor[i]),
      attentionFactor: s.attention_factor ?? sqrt(1 + log(growth) / log(length)),
    };
  },
};
rules.su = rules.longrope;

/** { frequencies, attentionFactor } of a config, for a width and θ. */
export function scaledRotary(c, { width, theta }) {
  const plain = Array.from({ length: width / 2 }, (_, i) => theta ** ((-2 * i) / width));
  const scaling = c.rope_scaling ?? c.rope_parameters ?? {};
  const rule = rules[scaling.rope_type ?? scaling.type ?? 'default'];
  return { attentionFactor: 1, ...rule(plain, scaling, { width, theta }, c) };
}
