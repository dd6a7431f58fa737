// Small seeded changes of a valid file: of its bytes, and of its JSON values.

const odd = [0, 1, 9, 10, 13, 32, 34, 39, 44, 45, 48, 57, 91, 92, 93, 123, 125, 127, 128, 239, 255];

/** Bytes with one to six changes; `words` are inserted texts. */
export function mutatedBytes(bytes, { integer, chance }, words) {
  let changed = Uint8Array.from(bytes);
  const place = () => integer(0, Math.max(0, changed.length - 1));
  const spliced = (at, removed, inserted) => {
    changed = Uint8Array.from([
      ...changed.subarray(0, at),
      ...inserted,
      ...changed.subarray(at + removed),
    ]);
  };
  const changes = [
    () => (changed[place()] ^= 1 << integer(0, 7)),
    () => (changed[place()] = odd[integer(0, odd.length - 1)]),
    () => spliced(place(), integer(1, 9), []),
    () => spliced(place(), 0, changed.subarray(place()).subarray(0, integer(1, 40))),
    () => (changed = changed.slice(0, place())),
    () => {
      const word = new TextEncoder().encode(words[integer(0, words.length - 1)]);
      spliced(place(), chance(0.5) ? word.length : 0, word);
    },
  ];
  for (let count = integer(1, 6); count > 0; count--) changes[integer(0, changes.length - 1)]();
  return changed;
}

const nested = (depth) => {
  /** @type {object} */
  let value = [];
  for (let n = 0; n < depth; n++) value = n % 2 ? { a: value } : [value];
  return value;
};

const oddValues = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    0.5,
    2,
    3,
    7,
    255,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    1e308,
    -1e-300,
  ],
  ...['', 'x', '0', '\u0000', '\ud800', '((a+)+)+$', '__proto__', 'constructor', 'x'.repeat(5000)],
  ...[[], {}, [[]], [null], [1, 2, 3], { type: 'x' }, { '': 0 }, nested(300)],
];

/** Every nested value, as [container, key]. */
function placesOf(value, places = []) {
  if (typeof value !== 'object' || value === null) return places;
  for (const key of Object.keys(value)) {
    places.push([value, key]);
    placesOf(value[key], places);
  }
  return places;
}

/** A copy of a JSON value with one to four changes. */
export function mutatedValue(value, { integer }) {
  const root = { value: structuredClone(value) };
  for (let count = integer(1, 4); count > 0; count--) {
    const places = placesOf(root);
    const [holder, key] = places[integer(0, places.length - 1)];
    const [from, other] = places[integer(0, places.length - 1)];
    const changes = [
      () => (holder[key] = structuredClone(oddValues[integer(0, oddValues.length - 1)])),
      () => delete holder[key],
      () => (holder[key] = structuredClone(from[other])),
      () => typeof holder[key] === 'number' && (holder[key] += integer(-2, 2)),
      () => typeof holder[key] === 'number' && (holder[key] *= [2, -1, 0.5, 1e9][integer(0, 3)]),
    ];
    changes[integer(0, changes.length - 1)]();
    if (!Object.hasOwn(root, 'value')) root.value = null;
  }
  return root.value;
}
