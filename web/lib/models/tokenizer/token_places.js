// Where tokens stand in the text that they were made of: their characters, or bytes, are found there one after the
// other, whatever the tokenizer did to spaces, capitals, accents and forms of letters.
import { bytesOfToken, pieceByte } from './token_bytes.js';

const encoder = new TextEncoder();

/** A text as units { value, start, end }: what tokens are compared with, and where in the text it stands. */
function foldedUnits(text) {
  const units = [];
  let start = 0;
  for (const character of text) {
    const end = start + character.length;
    const folded = fold(character);
    // A mark of its own belongs to the letter before it.
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

/** Without capitals, marks, spaces and forms, quotation marks of one kind: as letters of both sides compare. */
const fold = (text) => [
  ...text
    .replace(/[\u2018-\u201b\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\s\u2581\p{Cc}]/gu, ''),
];

// Units that may lie before a token and belong to none: of words that are unknown, and of letters that were dropped.
const farthest = { unknown: 400, dropped: 16 };

const beginsAt = (units, at, values) => values.every((value, n) => units[at + n]?.value === value);

/** The first place from `at` on where the values stand, -1 without one; not searched for further than `far`. */
function findFrom(units, at, values, far) {
  for (let place = at; place < Math.min(units.length, at + far); place++) {
    if (beginsAt(units, place, values)) return place;
  }
  return -1;
}

/**
 * For each list of values the units it stands at, [first, end): lists that are found nowhere (unknown words, letters
 * that became others) share what lies between their neighbours.
 */
function aligned(units, lists) {
  const places = [];
  let at = 0;
  let waiting = [];
  const settle = (until) => {
    for (const n of waiting) places[n] = [at, until];
    waiting = [];
  };
  lists.forEach((values, n) => {
    if (values === undefined) {
      waiting.push(n);
      return;
    }
    // What is unknown has at least one letter.
    const from = Math.min(at + (waiting.length > 0 && values.length > 0 ? 1 : 0), units.length);
    const far = waiting.length > 0 ? farthest.unknown : farthest.dropped;
    const place = values.length === 0 ? -1 : findFrom(units, from, values, far);
    if (place < 0) {
      if (values.length > 0) waiting.push(n);
      else places[n] = [at, at];
      return;
    }
    settle(place);
    places[n] = [place, place + values.length];
    at = place + values.length;
  });
  settle(units.length);
  return places;
}

/** [start, end] in the text of units [first, end); between two, the empty place. */
function spanOf(units, [first, end]) {
  if (first < end) return [units[first].start, units[end - 1].end];
  const place = units[first]?.start ?? units[first - 1]?.end ?? 0;
  return [place, place];
}

const trimmed = (text, [start, end]) => {
  const inner = text.slice(start, end);
  const before = inner.length - inner.trimStart().length;
  return inner.trim() === ''
    ? [start, end]
    : [start + before, end - (inner.length - inner.trimEnd().length)];
};

/** Byte-level tokens; literal: those that stand in the text as they are. form: what the text was normalised to. */
export function placesOfBytes(text, tokens, { literal, form }) {
  const units = byteUnits(text, form);
  let at = 0;
  return tokens.map((token) => {
    const isLiteral = literal.has(token);
    let values = isLiteral ? [...encoder.encode(token)] : bytesOfToken(token);
    // A space that was put before the text, or taken away before a token.
    if (values[0] === 0x20 && units[at]?.value !== 0x20) values = values.slice(1);
    let place = at;
    while (isLiteral && !beginsAt(units, place, values) && place < units.length) place++;
    const end = Math.min(place + values.length, units.length);
    at = end;
    return trimmed(text, spanOf(units, [place, end]));
  });
}

/** Bytes of a UTF-8 character that begins with this one. */
const bytesFrom = (first) => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

/** How many tokens from n on are byte pieces of one character, 0 where n is none. */
function piecesOfCharacter(tokens, n) {
  const first = pieceByte(tokens[n]);
  if (first === undefined) return 0;
  let end = n + 1;
  while (end < n + bytesFrom(first) && (pieceByte(tokens[end] ?? '') & 0xc0) === 0x80) end++;
  return end - n;
}

/** Tokens that spell letters; unknown: the token that stands for words that have none. */
export function placesOfPieces(text, tokens, { unknown, prefix, suffix }) {
  const units = foldedUnits(text);
  const lists = [];
  const counts = []; // of tokens that stand at one place: the bytes of a character
  const letters = (token) => {
    const piece = prefix && token.startsWith(prefix) ? token.slice(prefix.length) : token;
    return fold(suffix && piece.endsWith(suffix) ? piece.slice(0, -suffix.length) : piece);
  };
  for (let n = 0; n < tokens.length; n += counts.at(-1)) {
    const count = piecesOfCharacter(tokens, n);
    const bytes = Uint8Array.from(tokens.slice(n, n + count), pieceByte);
    counts.push(count || 1);
    if (count > 0) lists.push(fold(new TextDecoder().decode(bytes)));
    else lists.push(tokens[n] === unknown ? undefined : letters(tokens[n]));
  }
  return aligned(units, lists).flatMap((place, n) =>
    Array.from({ length: counts[n] }, () => trimmed(text, spanOf(units, place))),
  );
}
