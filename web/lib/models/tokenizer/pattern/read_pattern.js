// A pattern of Oniguruma → a tree of the few forms that write_pattern.js and count_paths.js know. Throws a RangeError with
// the rest of "the pattern has …" for all that would have another meaning in JavaScript.
//   { type: 'one', source }                         one character
//   { type: 'sequence', parts }  { type: 'choice', parts }
//   { type: 'repeat', min, max, body, isLazy }      max: Infinity if there is none
//   { type: 'atomic', body }
//   { type: 'look', isBehind, negate, body }
//   { type: 'edge', source }                        a condition on the characters beside a position
import { messageOf } from '../../../arguments/message_of.js';
import { parse } from 'oniguruma-parser/parser';
import { spendWork } from '../budget.js';
import { requireSimpleCases } from './case_folding.js';
import { wordCharacters } from './character_sets.js';
import { readCharacter, readClass, readSet } from './read_classes.js';

const parseWork = 100; // of a character of the source

const sequence = (parts) => (parts.length === 1 ? parts[0] : { type: 'sequence', parts });
const choice = (parts) => (parts.length === 1 ? parts[0] : { type: 'choice', parts });
const edge = (source) => ({ type: 'edge', source });

function unsupported(what) {
  throw new RangeError(`${what}, which is not supported`);
}

/** Edges are written so that at most one of their alternatives holds. */
const edges = {
  line_start: String.raw`(?:^|(?<=\n)(?=[^]))`, // not after a line feed at the end, as in Ruby
  line_end: String.raw`(?=\n|$)`,
  string_start: '^',
  string_end: '$',
  string_end_newline: String.raw`(?=\n?$)`,
};

const boundary = `(?:(?<=${wordCharacters})(?!${wordCharacters})|(?<!${wordCharacters})(?=${wordCharacters}))`;

function readAssertion({ kind, negate }) {
  if (kind === 'word_boundary') return edge(negate ? `(?!${boundary})` : boundary);
  if (Object.hasOwn(edges, kind)) return edge(edges[kind]);
  return unsupported(kind === 'search_start' ? String.raw`\G` : String.raw`\y or \Y`);
}

/** Whether a tree can match the empty text. */
export function isNullable({ type, parts, body, min }) {
  if (type === 'one') return false;
  if (type === 'sequence') return parts.every(isNullable);
  if (type === 'choice') return parts.some(isNullable);
  if (type === 'repeat') return min === 0 || isNullable(body);
  return type === 'atomic' ? isNullable(body) : true;
}

/** Whether a nullable tree tries the empty text after all others. */
function isEmptyLast({ type, parts, body, isLazy }) {
  if (type === 'repeat') return !isLazy && (!isNullable(body) || isEmptyLast(body));
  if (type === 'choice') {
    return parts.slice(0, -1).every((inner) => !isNullable(inner)) && isEmptyLast(parts.at(-1));
  }
  return type !== 'sequence' || parts.every(isEmptyLast);
}

/** JavaScript takes back a repetition that matched the empty text, Oniguruma ends the loop after it. */
function requireRepeatable({ min, max, body, isLazy }) {
  if (!isNullable(body)) return;
  if (max === 0 || (max === 1 && (min === 1 || isLazy || isEmptyLast(body)))) return;
  unsupported('a repeated group that can match the empty text');
}

function repeated(repeat) {
  requireRepeatable(repeat);
  return { type: 'repeat', ...repeat };
}

function readQuantifier({ kind, min, max, body: inner }, flags) {
  const body = readNode(inner, flags);
  const isLazy = kind === 'lazy';
  if (isLazy && min === max) {
    // x{2}? is (?:x{2})?, as in Ruby.
    const all = repeated({ min, max, body, isLazy: false });
    return repeated({ min: 0, max: 1, body: all, isLazy: false });
  }
  const repeat = repeated({ min, max: max ?? Infinity, body, isLazy });
  return kind === 'possessive' ? { type: 'atomic', body: repeat } : repeat;
}

const newlines = String.raw`[\n-\r\x85\u2028\u2029]`;
const lineBreak = {
  type: 'atomic',
  body: choice([
    sequence([
      { type: 'one', source: String.raw`\r` },
      { type: 'one', source: String.raw`\n` },
    ]),
    { type: 'one', source: newlines },
  ]),
};

function readCharacterSet(node, flags) {
  if (node.kind === 'text_segment') unsupported(String.raw`\X`);
  if (node.kind === 'newline' && !node.negate) return lineBreak;
  return readSet(node, flags);
}

function readLookaround({ kind, negate, body }, flags) {
  const isBehind = kind === 'lookbehind';
  const inner = readAlternatives(body, flags);
  if (isBehind && hasAtomic(inner)) unsupported('an atomic group within a lookbehind');
  if (isBehind && hasImpossible(inner)) {
    unsupported('a negative lookbehind for the empty text within a lookbehind');
  }
  if (isBehind && hasEdge(inner) && hasVariableLength(inner)) {
    unsupported(String.raw`\b, ^ or $ within a lookbehind of variable length`);
  }
  return { type: 'look', isBehind, negate, body: inner };
}

const hasAtomic = ({ type, parts = [], body }) =>
  type === 'atomic' || parts.some(hasAtomic) || (body !== undefined && hasAtomic(body));

/** Oniguruma finds (?<!(?<!a?)) nowhere, although its inner condition holds nowhere. */
const hasImpossible = ({ type, parts = [], body, isBehind, negate }) =>
  (type === 'look' && isBehind && negate && isNullable(body)) ||
  parts.some(hasImpossible) ||
  (body !== undefined && hasImpossible(body));

const hasEdge = ({ type, source, parts = [], body }) =>
  (type === 'edge' && source !== edges.string_start) ||
  parts.some(hasEdge) ||
  (body !== undefined && hasEdge(body));

/** Number of characters that a tree matches; undefined if it can match several numbers. */
function lengthOf({ type, parts, body, min, max }) {
  if (type === 'one') return 1;
  if (type === 'sequence') {
    const lengths = parts.map(lengthOf);
    return lengths.includes(undefined) ? undefined : lengths.reduce((a, b) => a + b, 0);
  }
  if (type === 'choice') {
    const [length, ...others] = parts.map(lengthOf);
    return others.every((other) => other === length) ? length : undefined;
  }
  if (type === 'repeat')
    return min === max && lengthOf(body) !== undefined ? min * lengthOf(body) : undefined;
  return type === 'atomic' ? lengthOf(body) : 0;
}

/** Oniguruma cuts the text at a lookbehind of variable length: (?<=\Bb?)a finds the a of 'ab'. */
const hasVariableLength = (tree) =>
  (tree.type === 'choice' ? tree.parts : [tree]).some((node) => lengthOf(node) === undefined);

const changedFlags = (flags, { enable, disable }) => ({
  ignoreCase: (flags.ignoreCase || Boolean(enable?.ignoreCase)) && !disable?.ignoreCase,
  dotAll: (flags.dotAll || Boolean(enable?.dotAll)) && !disable?.dotAll,
});

function readGroup({ atomic, flags: change, body }, flags) {
  const inner = readAlternatives(body, change ? changedFlags(flags, change) : flags);
  return atomic ? { type: 'atomic', body: inner } : inner;
}

const readers = {
  Assertion: readAssertion,
  Character: readCharacter,
  CharacterClass: readClass,
  CharacterSet: readCharacterSet,
  CapturingGroup: readGroup,
  Group: readGroup,
  LookaroundAssertion: readLookaround,
  Quantifier: readQuantifier,
};

const names = {
  AbsenceFunction: 'an absence operator (?~…)',
  Backreference: 'a back-reference',
  Directive: String.raw`\K`,
  NamedCallout: 'a callout (*…)',
  Subroutine: String.raw`a subroutine call \g<…>`,
};

function readNode(node, flags) {
  const read = readers[node.type] ?? (() => unsupported(names[node.type] ?? node.type));
  return read(node, flags);
}

const isFlags = ({ type, kind }) => type === 'Directive' && kind === 'flags';

/** Alternatives. Options such as (?i) hold to the end of the group: a(?i)b|c is a(?i:b|c). */
function readAlternatives(alternatives, flags) {
  const parts = [];
  for (const [index, { body }] of alternatives.entries()) {
    const at = body.findIndex(isFlags);
    const before = (at < 0 ? body : body.slice(0, at)).map((node) => readNode(node, flags));
    requireSimpleText(body, flags);
    if (at < 0) {
      parts.push(sequence(before));
      continue;
    }
    const rest = [{ body: body.slice(at + 1) }, ...alternatives.slice(index + 1)];
    before.push(readAlternatives(rest, changedFlags(flags, body[at].flags)));
    return choice([...parts, sequence(before)]);
  }
  return choice(parts);
}

/**
 * Text that repeats or is left out, of a length that does not grow with the depth of groups: foldings have at most three
 * characters, so long ones are not repeated beyond where they meet.
 */
function repeatedText(text, between) {
  if (text.length <= 6) return `${text}${between}${text}${between === '' ? text : ''}`;
  return between === ''
    ? `${text}${text.slice(0, 3)} ${text.slice(-3)}`
    : `${text} ${text.slice(-3)}`;
}

/** Characters without their case that may follow each other in a match; a space for all else. */
function textWithoutCase(node, flags) {
  const { type, value, body, kind, negate, min, max } = node;
  if (type === 'Character') return flags.ignoreCase ? String.fromCodePoint(value) : ' ';
  if (type === 'Quantifier') {
    const text = textWithoutCase(body, flags);
    if ((max ?? 2) > 1) return repeatedText(text, '');
    return min === 0 ? repeatedText(text, ' ') : text;
  }
  if (type === 'CharacterClass' && kind === 'union' && !negate && body.length === 1) {
    return textWithoutCase(body[0], flags);
  }
  const isGroup = type === 'Group' || type === 'CapturingGroup';
  if (!isGroup || body.length > 1) return ' ';
  const inner = node.flags ? changedFlags(flags, node.flags) : flags;
  return body[0].body.map((one) => textWithoutCase(one, inner)).join('');
}

function requireSimpleText(body, flags) {
  const text = body.map((node) => textWithoutCase(node, flags)).join('');
  if (text.trim() !== '') requireSimpleCases(text);
}

/** The parser does not tell \p{Punct}, which has no symbols, from [[:punct:]]. */
const withoutPunct = (source) =>
  source.replaceAll(/\\(?:p\{(\^?)([^}]*)\}|[^])/gi, (text, not, name) =>
    name?.replaceAll(/[ _-]/g, '').toLowerCase() === 'punct'
      ? `${text[1] === 'P' ? '\\P' : '\\p'}{${not}P}`
      : text,
  );

const isCondition = ({ type }) => type === 'look' || type === 'edge';
const anything = new Set(['[^]', String.raw`[\p{Any}]`]); // . with the flag m, and \O
const isAnything = ({ type, max, isLazy, body }) =>
  type === 'repeat' && max === Infinity && !isLazy && anything.has(body.source);

/** The parts that a tree begins with: those of its groups instead of the groups. */
function flattened(node) {
  if (node.type === 'atomic') return flattened(node.body);
  return node.type === 'sequence' ? node.parts.flatMap(flattened) : [node];
}

/** Oniguruma searches for (?=a)\O* at the beginning of a text only, as it may for \O* without a condition. */
function requireSearched(tree) {
  const parts = flattened(tree);
  const first = parts.findIndex((node) => !isCondition(node));
  if (first > 0 && isAnything(parts[first])) {
    unsupported('a condition before any number of any characters');
  }
}

const maxDepth = 100;

/** Number of groups, classes and quantifiers within each other in a parsed pattern. */
/** @typedef {{ type: string, body?: Node | Node[] }} Node a part of a parsed pattern, as far as depthOf() reads it */

function depthOf(/** @type {Node} */ { type, body = [] }) {
  const inner = [body].flat().reduce((max, one) => Math.max(max, depthOf(one)), 0);
  return type === 'Alternative' ? inner : inner + 1;
}

export function readPattern(source) {
  spendWork(parseWork * source.length);
  let tree;
  try {
    tree = parse(withoutPunct(source), {
      normalizeUnknownPropertyNames: false,
      skipPropertyNameValidation: true,
    });
  } catch (cause) {
    throw new RangeError(`a syntax that is not supported: ${messageOf(cause)}`, { cause });
  }
  if (depthOf(/** @type {Node} */ (tree)) > maxDepth)
    unsupported(`more than ${maxDepth} groups or quantifiers within each other`);
  const read = readAlternatives(tree.body, { ignoreCase: false, dotAll: false });
  requireSearched(read);
  return read;
}
