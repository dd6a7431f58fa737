// Groups of tokens: their label, and the words of a text.

/** Label of a group of tokens. */
export function labelOf(tokens, labels) {
  const [first, last] = [labels[tokens[0]], labels[tokens.at(-1)]];
  if (tokens.length === 1) return first;
  // Byte tokens of one character share its position and text.
  const isNew = (token, at) => at === 0 || !isSamePlace(labels[token], labels[tokens[at - 1]]);
  const text = tokens.filter(isNew).map((token) => labels[token].text);
  return { ...first, text: text.join(''), end: last.end };
}

const isSamePlace = (one, other) => one.start !== null && one.start === other.start;

/** The words of a text: { text, tokens }; a special token is a word of its own. */
export function wordsIn(labels) {
  const groups = new Map();
  labels.forEach(({ word, special }, token) => {
    const key = special ? `token ${token}` : word;
    groups.set(key, [...(groups.get(key) ?? []), token]);
  });
  return Array.from(groups.values(), (tokens) => ({
    text: labelOf(tokens, labels).text,
    tokens,
  }));
}
