// Most likely tokens of a row of logits with their probabilities, p_i = exp(l_i) / Σ_j exp(l_j).

const shown = 5;

/** @returns {{ id: number, probability: number }[]} most likely first; `logits` is rows × vocabulary */
export function likeliest({ data, dims }, row) {
  const width = dims.at(-1);
  const all = data.subarray(row * width, (row + 1) * width);
  const top = [];
  let largest = -Infinity;
  all.forEach((logit, id) => {
    largest = Math.max(largest, logit);
    if (top.length === shown && !(logit > top[shown - 1].logit)) return;
    top.push({ id, logit });
    top.sort((a, b) => b.logit - a.logit || a.id - b.id);
    top.length = Math.min(top.length, shown);
  });
  let sum = 0;
  for (const logit of all) sum += Math.exp(logit - largest);
  return top.map(({ id, logit }) => ({ id, probability: Math.exp(logit - largest) / sum }));
}
