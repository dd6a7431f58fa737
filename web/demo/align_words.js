// Alignment of two lists of words: the longest common subsequence; words between two common ones are paired in order.

const keyOf = ({ word, text }) => `${word === null} ${text}`;

/**
 * The index in `other` for each word of `own`, −1 for none.
 * @param {import('./types').Label[]} own
 * @param {import('./types').Label[]} other
 * @returns {number[]}
 */
export function alignWords(own, other) {
  const [a, b] = [own.map(keyOf), other.map(keyOf)];
  const width = b.length + 1;
  // lengths[i * width + j]: words that a[i…] and b[j…] have in common
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) {
      const [here, below] = [i * width + j, (i + 1) * width + j];
      lengths[here] =
        a[i] === b[j] ? lengths[below + 1] + 1 : Math.max(lengths[below], lengths[here + 1]);
    }
  }
  const places = new Array(a.length).fill(-1);
  let [i, j, from, fromOther] = [0, 0, 0, 0];
  const pairRest = () => {
    const count = Math.min(i - from, j - fromOther);
    for (let n = 0; n < count; ++n) places[from + n] = fromOther + n;
  };
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pairRest();
      places[i] = j;
      [from, fromOther] = [++i, ++j];
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) ++i;
    else ++j;
  }
  [i, j] = [a.length, b.length];
  pairRest();
  return places;
}
