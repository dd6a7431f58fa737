// Single characters, sets and bracketed classes of a parsed pattern → { type: 'one', source }: source matches exactly one
// character in one way, so that it can be repeated without a second way through the same text.
import { casesOf, requireSimpleCases } from './case_folding.js';
import { characterSource, complement, insideOfSet } from './character_sets.js';

const one = (source) => ({ type: 'one', source });
const bracketed = (inside) => `[${inside}]`;
const sourcesOf = (characters) =>
  characters.map((character) => characterSource(character.codePointAt(0))).join('');

/** A character, and the others of its case. */
export function readCharacter({ value }, { ignoreCase }) {
  const source = characterSource(value);
  if (!ignoreCase) return one(source);
  const cases = casesOf(source);
  return one(cases.length > 1 ? bracketed(sourcesOf(cases)) : source);
}

/** \d, \p{…}, … outside of brackets: Oniguruma does not fold their case. */
export function readSet(node, { dotAll }) {
  if (node.kind === 'dot') return one(dotAll ? '[^]' : String.raw`[^\n]`);
  const inside = insideOfSet(node, false);
  return one(bracketed(node.negate ? complement(inside) : inside));
}

const isClass = ({ type }) => type === 'CharacterClass';
const isPlainUnion = (node) => isClass(node) && node.kind === 'union' && !node.negate;

/** @returns {string} */
function insideOf(member) {
  if (member.type === 'Character') return characterSource(member.value);
  if (member.type !== 'CharacterClassRange') return insideOfSet(member, true);
  return `${characterSource(member.min.value)}-${characterSource(member.max.value)}`;
}

/** The cases of the plain members. Oniguruma adds them to the members of an inner class, before a negation. */
function casesOfMembers(inside, negate) {
  if (inside === '') return '';
  if (!negate) requireSimpleCasesOf(inside);
  return sourcesOf(casesOf(inside));
}

function requireSimpleCasesOf(inside) {
  const members = casesOf(inside).filter((one) => new RegExp(bracketed(inside), 'u').test(one));
  requireSimpleCases('', members);
}

/** The members of a class as { inside, others }: text between brackets, and sources of classes of their own. */
function readMembers(members, flags) {
  let inside = '';
  const others = [];
  for (const member of members) {
    if (isPlainUnion(member)) {
      requireNoOpenRange(member.body);
      const inner = readMembers(member.body, flags);
      inside += inner.inside;
      others.push(...inner.others);
      continue;
    }
    if (isClass(member)) {
      others.push(readClass(member, flags).source);
      continue;
    }
    const text = insideOf(member);
    if (Boolean(member.negate) !== text.startsWith('^')) {
      others.push(bracketed(member.negate ? complement(text) : text));
    } else inside += member.negate ? complement(text) : text;
  }
  return { inside, others };
}

const isHyphen = (member) => member?.type === 'Character' && member.value === 0x2d;
const isLeft = (member) => member?.type === 'Character' || member?.type === 'CharacterSet';

/** Oniguruma loses the two characters before the inner class of [a-[b]]. */
function requireNoOpenRange(members) {
  const isOpen = (member, at) =>
    isLeft(member) && isHyphen(members[at + 1]) && isClass(members[at + 2] ?? {});
  if (members.some(isOpen)) {
    throw new RangeError("'-' between a character and a class, which is not supported");
  }
}

/** Oniguruma finds less than the complement where the inner class of [^a[^\D\w]] is empty. */
function requireNoDoubleNegation({ body, negate }) {
  const isNegated = (member) => isClass(member) && member.negate;
  const hasSets = (member) => member.body.some(({ type }) => type !== 'Character');
  if (negate && body.some((member) => isNegated(member) && hasSets(member))) {
    throw new RangeError('a negated class of sets within a negated class, which is not supported');
  }
}

function readUnion({ body, negate }, flags) {
  requireNoOpenRange(body);
  requireNoDoubleNegation({ body, negate });
  const { inside: members, others } = readMembers(body, flags);
  let inside = members;
  if (flags.ignoreCase) {
    if (others.length > 0) {
      throw new RangeError('a class within a class without its case, which is not supported');
    }
    inside += casesOfMembers(inside, negate);
  }
  if (others.length === 0) return one(bracketed(negate ? complement(inside) : inside));
  const any = [...(inside === '' ? [] : [bracketed(inside)]), ...others].join('|');
  return one(`(?:(?${negate ? '!' : '='}${any})[^])`);
}

function readIntersection({ body, negate }, flags) {
  if (flags.ignoreCase) {
    throw new RangeError('&& in a class without its case, which is not supported');
  }
  const all = body.map((inner) => {
    const { source } = isClass(inner)
      ? readClass(inner, flags)
      : readUnion({ body: [inner], negate: false }, flags);
    return `(?=${source})`;
  });
  return one(negate ? `(?:(?!${all.join('')})[^])` : `(?:${all.join('')}[^])`);
}

export function readClass(node, flags) {
  return node.kind === 'intersection' ? readIntersection(node, flags) : readUnion(node, flags);
}
