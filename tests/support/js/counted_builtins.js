// Counts the elements that JavaScript's builtins pass: characters of strings, entries of arrays, maps and sets. V8's coverage
// counts blocks of our code only, so a copy by a spread, a shift() or a search in a string would be one step there. For a
// process of its own: it replaces methods of the prototypes.

let elements = 0;

/** The elements since the last call. */
export function takeElements() {
  const taken = elements;
  elements = 0;
  return taken;
}

const sizeOf = (value) => value?.length ?? value?.size ?? 0;
const ofThis = (self) => sizeOf(self);
const ofResult = (_, args, result) => sizeOf(result);
const ofFirst = (_, [first]) => sizeOf(first);

/** Units that a search from the left passes. */
const searched = (self, [what, from = 0], result) =>
  (result < 0 ? self.length : result + sizeOf(what)) - from;

function replace(owner, names, cost) {
  for (const name of names) {
    const original = owner[name];
    if (typeof original !== 'function') throw new TypeError(`there is no method ${String(name)}`);
    /** @this {object} */
    const counted = function (...args) {
      const result = Reflect.apply(original, this, args);
      elements += cost(this, args, result);
      return result;
    };
    Object.defineProperty(owner, name, { value: counted, writable: true, configurable: true });
  }
}

/** From lastIndex to the end of the match, or to the end of the text. */
function countSearches() {
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (text) {
    const from = this.lastIndex;
    const match = Reflect.apply(exec, this, [text]);
    elements += match === null ? text.length - from : match.index + match[0].length - from;
    return match;
  };
}

/** V8 copies the whole text for each segment. */
function countSegments() {
  const lengths = new WeakMap();
  const { segment } = Intl.Segmenter.prototype;
  Intl.Segmenter.prototype.segment = function (text) {
    const segments = Reflect.apply(segment, this, [text]);
    const iterate = segments[Symbol.iterator];
    lengths.set(segments, text.length);
    segments[Symbol.iterator] = function* () {
      for (const one of { [Symbol.iterator]: () => Reflect.apply(iterate, segments, []) }) {
        elements += lengths.get(segments);
        yield one;
      }
    };
    return segments;
  };
}

const marks = /\p{M}{33,}/gu;

/** ICU moves each mark over those before it, so long runs count by their square. */
function countNormalization() {
  const { normalize, match } = String.prototype;
  replace(String.prototype, ['normalize'], (text) => {
    const kept = elements;
    const runs =
      Reflect.apply(match, Reflect.apply(normalize, String(text), ['NFD']), [marks]) ?? [];
    elements = kept;
    let cost = text.length;
    for (let n = 0; n < runs.length; n++) cost += runs[n].length ** 2;
    return cost;
  });
}

/** Replaces the methods. */
export function countBuiltins() {
  countNormalization();
  countSearches();
  countSegments();
  const array = Array.prototype;
  const typed = Object.getPrototypeOf(Int8Array.prototype);
  const text = String.prototype;
  replace(
    array,
    ['shift', 'unshift', 'splice', 'reverse', 'sort', 'fill', 'copyWithin', 'join'],
    ofThis,
  );
  replace(
    array,
    ['map', 'filter', 'forEach', 'reduce', 'flatMap', 'toReversed', 'toSorted', 'toSpliced'],
    ofThis,
  );
  replace(array, ['slice', 'concat', 'flat'], ofResult);
  replace(array, ['indexOf', 'includes'], ofThis);
  replace(array, ['push'], (_, args) => args.length);
  replace(array, ['values', 'keys', 'entries', Symbol.iterator], ofThis);
  replace(Array, ['from'], ofResult);
  replace(typed, ['fill'], (self, [, from = 0, to = self.length]) => Math.max(0, to - from));
  replace(typed, ['set'], ofFirst);
  replace(typed, ['slice', 'map'], ofResult);
  replace(typed, ['indexOf', 'includes'], searched);
  replace(typed, ['values', 'entries', Symbol.iterator], ofThis);
  for (const { prototype } of [Map, Set]) {
    replace(prototype, ['values', 'keys', 'entries', 'forEach', Symbol.iterator], ofThis);
  }
  replace(text, ['slice', 'substring', 'repeat', 'padStart', 'concat'], ofResult);
  replace(text, ['toLowerCase', 'toUpperCase', 'trim', 'replace', 'replaceAll'], ofThis);
  replace(text, ['split', 'match', 'matchAll', Symbol.iterator], ofThis);
  replace(text, ['indexOf'], searched);
  replace(text, ['startsWith', 'endsWith'], ofFirst);
  replace(Object, ['keys', 'values', 'entries', 'fromEntries'], ofResult);
  replace(TextEncoder.prototype, ['encode'], ofResult);
  replace(TextDecoder.prototype, ['decode'], ofResult);
}
