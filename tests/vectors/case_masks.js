// The masks of cases.json that are not drawn, by name: for query i and key j whether the key is visible, or a number that is
// added to the score.
const minimum = -3.4028234663852886e38; // of the finite float32

export const masks = {
  all: () => true,
  none: () => false,
  diagonal: (i, j) => i === j,
  checkerboard: (i, j) => (i + j) % 2 === 0,
  'row 2': (i) => i === 2,
  'all but row 2': (i) => i !== 2,
  'odd keys': (_i, j) => j % 2 === 1,
  'even rows, 4 keys': (i, j) => i % 2 === 0 && j < 4,
  'even rows, other keys': (i, j) => i % 2 === 0 && j !== i,
  'keys from i': (i, j) => j >= i,
  'keys up to i': (i, j) => j <= i,
  'keys from 251 + i': (i, j) => j >= 251 + i,
  'key 264 + i': (i, j) => j === 264 + i,
  'all but the middle tile': (i, j) => j < 3 + i || j >= 300,
  'one key of 7': (i, j) => j === (3 * i + 2) % 7,
  'another key of 7': (i, j) => j === (2 * i + 1) % 7,
  'all but key 2': (_i, j) => j !== 2,
  'all but keys 1 and 3': (_i, j) => j !== 1 && j !== 3,
  'all but keys 1, 3 and 5': (i, j) => !hides135(i, j),
  'key 2 for row 5': (i, j) => j !== 2 || i === 5,
  'key 7 for row 2': (i, j) => j !== 7 || i === 2,
  'key 129 for row 6': (i, j) => j !== 129 || i === 6,

  zeros: () => 0,
  minimum: () => minimum,
  'minus infinity': () => -Infinity,
  '-2^20': () => -(2 ** 20),
  '16 on the diagonal': (i, j) => (i === j ? 16 : -2),
  '100 on the diagonal': (i, j) => (i === j ? 100 : 0),
  '-10000 above the diagonal': (i, j) => (j > i ? -10000 : 0),
  'minimum beyond the next key': (i, j) => (j > i + 1 ? minimum : 0),
  '-1e30 or minus infinity': (_i, j) => (j % 2 ? -Infinity : -1e30),
  'minus infinity in row 1': (i, j) => (i === 1 ? -Infinity : j / 4),
  'minus infinity on keys 1, 3 and 5': (i, j) => (hides135(i, j) ? -Infinity : (i + j) / 8),
  'NaN at 2, 3': (i, j) => (i === 2 && j === 3 ? NaN : 0),
  'infinity at 3, 0': (i, j) => (i === 3 && j === 0 ? Infinity : j / 4),
};

/** Keys 1 and 3 are hidden from all rows, key 5 from the first three. */
function hides135(i, j) {
  return j === 1 || j === 3 || (j === 5 && i < 3);
}
