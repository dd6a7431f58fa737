// Token positions in options: a number, a range such as 3-5, or a word of the text, which means all its pieces; a word that
// occurs several times is written it#2.
import { UsageError } from './shell_options.js';

const isAlphanumeric = /^[\p{L}\p{N}]/u;

/** The spans of a word in a text, [start, end); whole words if there are any. */
function occurrences(word, text) {
  const spans = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    spans.push([at, at + word.length]);
  }
  const touches = (a, b) => isAlphanumeric.test(a) && isAlphanumeric.test(b);
  const whole = spans.filter(
    ([start, end]) =>
      !touches(text.slice(start - 1, start), word) && !touches(word.at(-1), text.slice(end)),
  );
  return whole.length > 0 ? whole : spans;
}

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

const listed = (positions) =>
  positions.length === 1 ? `position ${positions[0]}` : `positions ${positions.join(', ')}`;

/** source: { text, tokens, spans }; spans may be missing. The positions of `written` in it. */
export function positionsOf(option, written, { text, tokens, spans }) {
  const numbers = /^(\d+)(?:-(\d+))?$/.exec(written);
  if (numbers) {
    const first = Number(numbers[1]);
    const last = Number(numbers[2] ?? first);
    if (first <= last && last < tokens.length) return range(first, last);
    throw new UsageError(
      `--${option} has position ${written}, but the text has positions 0 to ${tokens.length - 1}`,
    );
  }
  const [, word, number] = /^(.*?)(?:#(\d+))?$/su.exec(written) ?? [];
  const found = [];
  for (const [start, end] of spans ? occurrences(word, text) : []) {
    const positions = range(0, tokens.length - 1).filter(
      (at) => spans[at][0] < end && spans[at][1] > start,
    );
    if (positions.length > 0) found.push(positions);
  }
  // Special tokens have no span.
  if (found.length === 0) {
    found.push(...tokens.flatMap((token, at) => (token === word ? [[at]] : [])));
  }
  if (found.length === 0) {
    throw new UsageError(
      `--${option} has "${word}", which is not in the text; positions 0 to ${tokens.length - 1} work as numbers`,
    );
  }
  if (number === undefined && found.length === 1) return found[0];
  const chosen = number === undefined ? undefined : found[Number(number) - 1];
  if (chosen) return chosen;
  const choices = found.map((positions, n) => `${word}#${n + 1} (${listed(positions)})`);
  throw new UsageError(
    `--${option} has "${written}", but "${word}" occurs ${found.length} times: ${choices.join(', ')}`,
  );
}
