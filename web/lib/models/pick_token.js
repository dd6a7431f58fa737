// Choice of the next token: greedy, or sampled with p ~ exp(logit / temperature) among the topK likeliest.

function likeliest(logits, isBanned) {
  let best = -1;
  for (let id = 0; id < logits.length; id++) {
    // The Set is queried only for new maxima, which are rare.
    if ((best < 0 || logits[id] > logits[best]) && !isBanned(id)) best = id;
  }
  return best;
}

export function pickToken(logits, { temperature, topK, random, bannedIds }) {
  const isBanned = (id) => bannedIds.has(id);
  const best = likeliest(logits, isBanned);
  if (best < 0) throw new RangeError("'bad_words_ids' of generation_config.json ban every token");
  if (temperature === 0) return best;
  const ids = Array.from(logits.keys()).filter((id) => !isBanned(id));
  if (topK !== undefined && topK < ids.length) {
    ids.sort((a, b) => logits[b] - logits[a]);
    ids.length = topK;
  }
  const powers = ids.map((id) => Math.exp((logits[id] - logits[best]) / temperature));
  let rest = random() * powers.reduce((sum, power) => sum + power, 0);
  const index = powers.findIndex((power) => (rest -= power) < 0);
  return index < 0 ? best : ids[index];
}

/** A generator of numbers in [0, 1): mulberry32, which gives the same numbers everywhere, or Math.random without a seed. */
export function randomNumbers(seed) {
  if (seed === undefined) return Math.random;
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}
