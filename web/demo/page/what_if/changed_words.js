// Differences of two texts, word by word: the longest common subsequence of words stays.

/** [{ text, is: 'same' | 'new' | 'gone' }]; neighbors of one kind are one entry. */
export function changedWords(before, after) {
  const [old, now] = [before, after].map((text) => text.split(/\s+/).filter(Boolean));
  // common[i][j]: length of the longest common subsequence of old from i and now from j
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; --i) {
    for (let j = now.length - 1; j >= 0; --j) {
      common[i][j] =
        old[i] === now[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const found = [];
  const add = (text, is) => {
    if (found.at(-1)?.is === is) found.at(-1).text += ` ${text}`;
    else found.push({ text, is });
  };
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      add(now[j], 'same');
      ++i;
      ++j;
    } else if (i < old.length && (j === now.length || common[i + 1][j] >= common[i][j + 1])) {
      add(old[i++], 'gone');
    } else add(now[j++], 'new');
  }
  return found;
}
