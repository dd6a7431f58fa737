// Choice of the next token: greedy, or sampled with p ~ exp(logit / temperature) among the topK likeliest.

function likeliest(logits, isBanned) {
  let best = -1;
  for (let id = 0; id < logits.length; id++) {
    // The Set is queried only for new maxima, which are rare.
    if ((best < 0 || logits[id] > logits[best]) && !isBanned(id)) best = id;
  }
  return best;
}

/**
 * Throws unless a token can be chosen by these logits: some must be finite, and none NaN or +∞. Weights that are not finite,
 * or edits, make such logits. count: tokens generated before.
 */
export function requireLogits(logits, count) {
  const refuse = (found) => {
    throw new RangeError(
      `generated token ${count + 1} cannot be chosen: ${found}; a logit must be a number or -Infinity, and one of them finite`,
    );
  };
  let max = -Infinity;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id];
    if (!(logit < Infinity)) refuse(`the logit of id ${id} is ${logit}`);
    if (logit > max) max = logit;
  }
  if (max === -Infinity) refuse('all logits are -Infinity');
}

export function pickToken(logits, { temperature, topK, random, bannedIds }) {
  const isBanned = (id) => bannedIds.has(id);
  const best = likeliest(logits, isBanned);
  if (best < 0) throw new RangeError("'bad_words_ids' ban every token");
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
