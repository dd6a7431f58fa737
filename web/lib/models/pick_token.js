// Which token comes next: the likeliest, or one by chance, p ~ exp(logit / temperature) among the topK likeliest.

function likeliest(logits, isRefused) {
  let best = -1;
  for (let id = 0; id < logits.length; id++) {
    // Few are larger than all before, so few are looked up.
    if ((best < 0 || logits[id] > logits[best]) && !isRefused(id)) best = id;
  }
  return best;
}

export function pickToken(logits, { temperature, topK, random, refused }) {
  const isRefused = (id) => refused.has(id);
  const best = likeliest(logits, isRefused);
  if (best < 0) throw new RangeError("'bad_words_ids' leave no token that could follow");
  if (temperature === 0) return best;
  const ids = Array.from(logits.keys()).filter((id) => !isRefused(id));
  if (topK !== undefined && topK < ids.length) {
    ids.sort((a, b) => logits[b] - logits[a]);
    ids.length = topK;
  }
  const powers = ids.map((id) => Math.exp((logits[id] - logits[best]) / temperature));
  let left = random() * powers.reduce((sum, power) => sum + power, 0);
  const at = powers.findIndex((power) => (left -= power) < 0);
  return at < 0 ? best : ids[at];
}
