// Unicode normalization (NFC, NFD, NFKC, NFKD) of a RangedText. JavaScript normalizes whole strings; here each character of
// the result is traced to the one it came from, as the Rust library does: the first character of a decomposition replaces
// the old one, others are inserted; a composed character replaces the first of its parts.
import { unitsAt } from './characters.js';

const isStarterCache = new Map();
const lastClass = '\u0345'; // the character of the highest combining class

/** Whether a character has the combining class 0: no other moves behind it. */
function isStarter(character) {
  if (character < '\u0300') return true;
  let result = isStarterCache.get(character);
  if (result === undefined) {
    const pair = lastClass + character;
    result = character !== lastClass && pair.normalize('NFD') === pair;
    isStarterCache.set(character, result);
  }
  return result;
}

/** Whether two characters, no starters, are in canonical order: the class of the second one is not lower. */
const areInOrder = (first, second) => (first + second).normalize('NFD') === first + second;
const haveOneClass = (one, other) => areInOrder(one, other) && areInOrder(other, one);

const classCache = new Map();
const classes = []; // one character of each combining class so far, of some fifty

/** A character that stands for all of the same combining class. */
function classOf(character) {
  let result = classCache.get(character);
  if (result === undefined) {
    result = classes.find((one) => haveOneClass(one, character));
    if (result === undefined) classes.push((result = character));
    classCache.set(character, result);
  }
  return result;
}

/** The character composed of two; undefined if there is none. */
function composed(first, second) {
  if (second < '\u0300') return undefined;
  const character = (first + second).normalize('NFC');
  return character.length === unitsAt(character, 0) ? character : undefined;
}

/**
 * Puts combining characters in canonical order: by class, stable. change: 1 for an inserted character, 0 for one that
 * replaces an old one.
 */
function ordered(marks) {
  if (marks.length < 2) return marks;
  const byClass = new Map();
  for (const mark of marks) {
    const key = classOf(mark.character);
    if (!byClass.has(key)) byClass.set(key, []);
    byClass.get(key).push(mark);
  }
  if (byClass.size === 1) return marks;
  return [...byClass]
    .sort(([one], [other]) => (areInOrder(one, other) ? -1 : 1))
    .flatMap(([, group]) => group);
}

/** The characters of the decomposed text, { character, change } each. */
function decompose(text, form) {
  const result = [];
  let marks = [];
  for (const old of text) {
    let change = 0;
    for (const character of old < '\u0080' ? old : old.normalize(form)) {
      if (isStarter(character)) {
        for (const mark of ordered(marks)) result.push(mark);
        marks = [];
        result.push({ character, change });
      } else {
        marks.push({ character, change });
      }
      change = 1;
    }
  }
  return [...result, ...ordered(marks)];
}

/** Composes decomposed characters; change: minus the number of old characters that it replaces beyond the first. */
function compose(decomposed) {
  const result = [];
  let starter;
  let blocking; // the last mark that was not composed with the starter
  for (const one of decomposed) {
    const { character, change } = one;
    const isMark = !isStarter(character);
    const isBlocked = blocking && (!isMark || haveOneClass(blocking, character));
    const whole = starter && !isBlocked ? composed(starter.character, character) : undefined;
    if (whole !== undefined) {
      starter.character = whole;
      starter.change += change - 1;
      continue;
    }
    result.push(one);
    if (!isMark) starter = one;
    blocking = isMark && starter ? character : undefined;
  }
  return result;
}

// String.normalize() moves each mark over all before it that come later, which takes quadratic time.
const manyMarks = /[\p{M}\uff9e\uff9f]{32}/u;

/** The text in a normalization form. */
export function inForm(source, form) {
  const isShort = !manyMarks.test(source.text);
  if (isShort && source.text.normalize(form) === source.text) return source;
  const decomposed = decompose(source.text, form.replace('C', 'D'));
  const edit = source.edit();
  for (const { character, change } of form.endsWith('C') ? compose(decomposed) : decomposed) {
    if (change > 0) {
      edit.insert(character);
    } else {
      edit.replaceCharacter(character);
      for (let n = 0; n > change; n--)
        edit.drop(edit.position + unitsAt(source.text, edit.position));
    }
  }
  return edit.drop(source.length).finish();
}
