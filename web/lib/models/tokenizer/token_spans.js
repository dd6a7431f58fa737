// Spans of tokens in their text: searches for the characters or bytes of each token in order, ignoring the tokenizer's
// normalization of spaces, case, accents and Unicode forms.
import { byteGroupLength, byteLevelBytes, byteOfToken } from './token_bytes.js';

const encoder = new TextEncoder();

/** A text as units { value, start, end }: a folded character to compare with tokens, and its span in the text. */
function foldedUnits(text) {
  const units = [];
  let start = 0;
  for (const character of text) {
    const end = start + character.length;
    const folded = fold(character);
    // A combining mark belongs to the character before it.
    if (folded.length === 0 && /\p{M}/u.test(character) && units.length > 0) units.at(-1).end = end;
    for (const value of folded) units.push({ value, start, end });
    start = end;
  }
  return units;
}

function byteUnits(text, form) {
  const units = [];
  for (const { 0: cluster, index } of text.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)) {
    const [start, end] = [index, index + cluster.length];
    let at = start;
    for (const character of form ? [cluster.normalize(form)] : cluster) {
      const until = form ? end : at + character.length;
      for (const value of encoder.encode(character)) units.push({ value, start: at, end: until });
      at = until;
    }
  }
  return units;
}

/** Characters for comparison: lower case, decomposed, without marks and spaces, with one kind of quotation mark. */
const fold = (text) => [
  ...text
    .replace(/[\u2018-\u201b\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\s\u2581\p{Cc}]/gu, ''),
];

// Maximum number of units to skip before a token: after unknown tokens, and for characters that were dropped.
const maxSkipped = { unknown: 400, dropped: 16 };

const beginsAt = (units, at, values) => values.every((value, n) => units[at + n]?.value === value);

/** The first index of the values from `at` on, at most `far` units further; -1 if not found. */
function findFrom(units, at, values, far) {
  for (let index = at; index < Math.min(units.length, at + far); index++) {
    if (beginsAt(units, index, values)) return index;
  }
  return -1;
}

/**
 * The unit range [first, end) of each list of values. Lists that are not found (unknown words, replaced characters) share
 * the range between their neighbors.
 */
function alignRanges(units, lists) {
  const ranges = [];
  let at = 0;
  let pending = [];
  const assignPending = (until) => {
    for (const n of pending) ranges[n] = [at, until];
    pending = [];
  };
  lists.forEach((values, n) => {
    if (values === undefined) {
      pending.push(n);
      return;
    }
    // An unknown token spans at least one character.
    const from = Math.min(at + (pending.length > 0 && values.length > 0 ? 1 : 0), units.length);
    const far = pending.length > 0 ? maxSkipped.unknown : maxSkipped.dropped;
    const found = values.length === 0 ? -1 : findFrom(units, from, values, far);
    if (found < 0) {
      if (values.length > 0) pending.push(n);
      else ranges[n] = [at, at];
      return;
    }
    assignPending(found);
    ranges[n] = [found, found + values.length];
    at = found + values.length;
  });
  assignPending(units.length);
  return ranges;
}

/** The span [start, end] in the text of units [first, end); empty for an empty range. */
function spanOf(units, [first, end]) {
  if (first < end) return [units[first].start, units[end - 1].end];
  const position = units[first]?.start ?? units[first - 1]?.end ?? 0;
  return [position, position];
}

const trimmed = (text, [start, end]) => {
  const inner = text.slice(start, end);
  const before = inner.length - inner.trimStart().length;
  return inner.trim() === ''
    ? [start, end]
    : [start + before, end - (inner.length - inner.trimEnd().length)];
};

/** Spans of byte-level tokens. literal: added tokens, which match the text literally; form: NFC or NFKC normalization. */
export function spansOfByteTokens(text, tokens, { literal, form }) {
  const units = byteUnits(text, form);
  let at = 0;
  return tokens.map((token) => {
    const isLiteral = literal.has(token);
    let values = isLiteral ? [...encoder.encode(token)] : byteLevelBytes(token);
    // A space added before the text, or removed before a token.
    if (values[0] === 0x20 && units[at]?.value !== 0x20) values = values.slice(1);
    let start = at;
    while (isLiteral && !beginsAt(units, start, values) && start < units.length) start++;
    const end = Math.min(start + values.length, units.length);
    at = end;
    return trimmed(text, spanOf(units, [start, end]));
  });
}

/** Spans of subword tokens. unknown: the token for unknown words; prefix, suffix: marks of word pieces in tokens. */
export function spansOfSubwords(text, tokens, { unknown, prefix, suffix }) {
  const units = foldedUnits(text);
  const lists = [];
  const counts = []; // tokens with the same span: the bytes of a character
  const charactersOf = (token) => {
    const rest = prefix && token.startsWith(prefix) ? token.slice(prefix.length) : token;
    return fold(suffix && rest.endsWith(suffix) ? rest.slice(0, -suffix.length) : rest);
  };
  for (let n = 0; n < tokens.length; n += counts.at(-1)) {
    const count = byteGroupLength(tokens, n);
    const bytes = Uint8Array.from(tokens.slice(n, n + count), byteOfToken);
    counts.push(count || 1);
    if (count > 0) lists.push(fold(new TextDecoder().decode(bytes)));
    else lists.push(tokens[n] === unknown ? undefined : charactersOf(tokens[n]));
  }
  return alignRanges(units, lists).flatMap((range, n) =>
    Array.from({ length: counts[n] }, () => trimmed(text, spanOf(units, range))),
  );
}
