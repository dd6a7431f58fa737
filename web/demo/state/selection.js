// The selection as tokens: what a view chose, and the same words in a new picture.

/** Change of state for a selection in the picture; a row without a column selects its strongest. */
export function tokensAt(picture, { row, column, part, head }) {
  const next = {};
  if (part !== undefined && part !== picture.part) Object.assign(next, { part, average: false });
  if (head !== undefined && !picture.average) next.head = head;
  if (row !== undefined) next.row = picture.rowTokens[row][0];
  if (column !== undefined) next.column = column === null ? null : picture.columnTokens[column][0];
  return next;
}

/** { row, column } in the new picture for those in the old one; null for a word that no longer exists. */
export function follow(before, after, { row, column }) {
  const sides = ['row', 'column'].map((side, at) => ({
    token: side === 'row' ? row : column,
    old: { labels: before.picture[`${side}s`], groups: before.picture[`${side}Tokens`] },
    next: { labels: after.picture[`${side}s`], groups: after.picture[`${side}Tokens`] },
    texts: [before.facts.texts[at], after.facts.texts[at]],
  }));
  const [nextRow, nextColumn] = sides.map(tokenAfter);
  return { row: nextRow, column: nextRow === null ? null : nextColumn };
}

function tokenAfter({ token, old, next, texts }) {
  if (token === null) return null;
  const index = old.groups.findIndex((tokens) => tokens.includes(token));
  const label = old.labels[index];
  if (!label) return null;
  if (next.labels[index]?.text === label.text && next.labels[index].start === label.start) {
    return next.groups[index][0];
  }
  const place = next.labels.findIndex((one) => isSame(label, one, texts));
  return place < 0 ? null : next.groups[place][0];
}

// A word being typed has the same beginning or end as before the key press.
function isSame(label, other, [before, after]) {
  if (label.start === null || other.start === null) {
    return label.start === other.start && label.text === other.text;
  }
  const start = placeAfter(label.start, before, after);
  if (start < other.start || start >= other.end) return false;
  const [short, long] = [label.text, other.text].sort((a, b) => a.length - b.length);
  return long.startsWith(short) || long.endsWith(short);
}

/** Position after an edit: the common prefix and suffix of both texts are unchanged. */
function placeAfter(place, before, after) {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) ++head;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) ++tail;
  if (place < head) return place;
  if (place >= before.length - tail) return place + after.length - before.length;
  return head;
}
