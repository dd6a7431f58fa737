// The characters of a pattern in as few kinds as it can tell apart.
import { spendWork } from '../budget.js';

// Ranges of code points and the step from one to the next: ideographs, Hangul, other large scripts, private and unassigned
// code points form ranges of one kind, where a few stand for all.
const ranges = [
  ...[
    [0, 0x33ff, 1],
    [0x3400, 0x4dbf, 16],
    [0x4dc0, 0x4dff, 1],
    [0x4e00, 0x9fff, 16],
  ],
  ...[
    [0xa000, 0xabff, 1],
    [0xac00, 0xd7af, 16],
    [0xd7b0, 0xd7ff, 1],
    [0xe000, 0xf8ff, 16],
  ],
  ...[
    [0xf900, 0x1345f, 1],
    [0x13460, 0x15fff, 16],
    [0x16000, 0x16fff, 1],
    [0x17000, 0x1afef, 16],
  ],
  ...[
    [0x1aff0, 0x1fbff, 1],
    [0x1fc00, 0x3ffff, 16],
    [0xe0000, 0xe01ff, 1],
    [0xf0000, 0xf0000, 1],
  ],
];
let everything;

function allCharacters() {
  if (everything === undefined) {
    everything = ranges
      .map(([first, last, step]) => {
        const length = Math.floor((last - first) / step) + 1;
        return Array.from({ length }, (_, i) => String.fromCodePoint(first + i * step)).join('');
      })
      .join('');
  }
  return everything;
}

/** Characters written out in a source, and their neighbors. */
function namedCharacters(source) {
  const codes = Array.from(source.matchAll(/\\u\{([\da-f]+)\}/g), ([, hex]) => parseInt(hex, 16));
  codes.push(...Array.from(source, (character) => character.codePointAt(0)));
  const near = codes.flatMap((code) => [code - 1, code, code + 1]);
  return near.filter((code) => code >= 0 && code <= 0x10ffff && code >> 11 !== 0x1b);
}

/** The positions in a text where runs of members of a set begin and end. */
const changesIn = (text, source) =>
  Array.from(text.matchAll(new RegExp(`(?:${source})+`, 'gu')), ({ index, 0: run }) => [
    index,
    index + run.length,
  ]).flat();

// Patterns have the same sets again and again.
const maxKnown = 100;
const known = new Map();

function changesOf(source) {
  spendWork(allCharacters().length); // also if it is known, so that a file is refused or not whatever was read before it
  if (!known.has(source)) {
    if (known.size >= maxKnown) known.clear();
    known.set(source, changesIn(allCharacters(), source));
  }
  return known.get(source);
}

/** A text of '0' and '1' for each kind of character: whether the sets have it. changes: those of each set. */
function kindsBetween(changes, length) {
  /** @type {Map<number, number[]>} */
  const sets = new Map([[0, []]]);
  for (const [index, positions] of changes.entries()) {
    for (const at of positions) {
      const indices = sets.get(at);
      if (indices) indices.push(index);
      else sets.set(at, [index]);
    }
  }
  spendWork(sets.size * changes.length);
  const inside = changes.map(() => 0);
  const kinds = new Set();
  for (const [at, indices] of [...sets].sort(([a], [b]) => a - b)) {
    for (const index of indices) inside[index] ^= 1;
    if (at < length) kinds.add(inside.join(''));
  }
  return kinds;
}

export class Alphabet {
  #kinds = new Map();

  /** @param {string[]} sources of single characters */
  constructor(sources) {
    const unique = [...new Set(sources)];
    const named = String.fromCodePoint(...unique.flatMap(namedCharacters));
    spendWork(unique.length * named.length);
    const kinds = [
      ...new Set([
        ...kindsBetween(unique.map(changesOf), allCharacters().length),
        ...kindsBetween(
          unique.map((source) => changesIn(named, source)),
          named.length,
        ),
      ]),
    ];
    this.size = kinds.length;
    for (const [index, source] of unique.entries()) {
      this.#kinds.set(
        source,
        kinds.map((kind) => kind[index] === '1'),
      );
    }
  }

  /** Whether a set has the characters of a kind. */
  has = (source, kind) => this.#kinds.get(source)[kind];
}
