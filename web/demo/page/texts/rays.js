// Rays of the text view: which links are drawn, and their curves between the positions of the words. start.js draws the
// first picture's with the same functions.

/**
 * A link to draw: `row` and `column` of the picture, `from` and `to` indices of words of the texts. `to` is null for the
 * weight on marks, whose ray ends behind the last word. `isOwn`: it is the row that is shown.
 * @typedef {object} Ray
 * @property {number} row
 * @property {number} column
 * @property {number} from
 * @property {number | null} to
 * @property {number} weight
 * @property {boolean} isOwn
 * @property {boolean} isBlocked
 * @property {string} says the percent on the ray, or ''
 */
/** @typedef {{ x: number, y: number }} Point */
/**
 * Positions in CSS pixels: where rays begin at the words that look, and end at those they look at; `end`: behind the last
 * word. `isArc`: both are words of one line, and rays are arcs above it. `width`, `height`: of the drawing.
 * @typedef {{ from: Point[], to: Point[], end: Point, isArc: boolean, width: number, height: number }} Places
 */
/**
 * `curve`: its Bézier control points; `label`: position and anchor of the percent.
 * @typedef {{ d: string, curve: Point[], width: number, opacity: number, label: Point & { anchor: string } | null }} Line
 * @typedef {Ray & Line} DrawnRay
 */

const minWeight = 0.01; // no ray below it
const othersShare = 0.5; // strength of the rays of other rows
const blockedWidth = 3; // CSS pixels
const labelHeight = 14;
const letterWidth = 8;

/**
 * Rays of one head, in the order in which they are drawn: those of other rows first, the strongest of each last.
 * `weights`: rows × columns; `to`: for each column the index of its word in the text, null for the column of marks, −1 for
 * one that the text does not have. `unseen`: cells that are masked (1) or blocked by the reader (2), or null. `shown`: the
 * row that is shown. `isOneText`: rows and columns are words of one text. `says(weight)` writes the percent.
 * @param {{ weights: ArrayLike<number>, rows: number, to: (number | null)[], unseen?: ArrayLike<number> | null, shown:
 * number, isOneText: boolean, says: (weight: number) => string }} drawn
 * @returns {Ray[]}
 */
export function raysOf({ weights, rows, to, unseen = null, shown, isOneText, says }) {
  const columns = to.length;
  /** @type {Ray[]} */
  const rays = [];
  for (let row = 0; row < rows; ++row) {
    const isOwn = row === shown;
    for (let column = 0; column < columns; ++column) {
      const at = row * columns + column;
      const end = to[column];
      // Only the shown row has rays to itself, and to marks, which are no word.
      if (end === -1 || (!isOwn && (end === null || (isOneText && end === row)))) continue;
      const isBlocked = unseen?.[at] === 2;
      const isDrawn = isBlocked || (!unseen?.[at] && Math.abs(weights[at]) >= minWeight);
      if (!isDrawn) continue;
      const weight = weights[at];
      rays.push({ row, column, from: row, to: end, weight, isOwn, isBlocked, says: '' });
    }
  }
  rays.sort((a, b) => Number(a.isOwn) - Number(b.isOwn) || Math.abs(a.weight) - Math.abs(b.weight));
  return withPercent(rays, says);
}

/**
 * The strongest ray of the shown row has its percent; so have marks where they have more.
 * @type {(rays: Ray[], says: (weight: number) => string) => Ray[]}
 */
function withPercent(rays, says) {
  const own = rays.filter(({ isOwn, isBlocked }) => isOwn && !isBlocked);
  const strongest = own.findLast(({ to }) => to !== null);
  const marks = own.at(-1)?.to === null ? own.at(-1) : undefined;
  return rays.map((ray) => {
    if (ray === strongest) return { ...ray, says: says(ray.weight) };
    return ray === marks ? { ...ray, says: `marks ${says(ray.weight)}` } : ray;
  });
}

/**
 * The curves of rays. Words that are not on the page have none.
 * @param {Ray[]} rays
 * @param {Places} places
 * @returns {DrawnRay[]}
 */
export function drawnRays(rays, places) {
  const across = places.from.map(({ x }) => x);
  const extent = Math.max(...across) - Math.min(...across);
  return rays.flatMap((ray) => {
    const from = places.from[ray.from];
    const to = ray.to === null ? places.end : places.to[ray.to];
    if (!from || !to) return [];
    const curve = places.isArc ? arcOf(from, to, extent) : curveOf(from, to);
    const strength = Math.min(1, Math.abs(ray.weight));
    const share = ray.isOwn ? 1 : othersShare;
    return {
      ...ray,
      curve,
      d: pathOf(curve),
      width: ray.isBlocked ? blockedWidth : rounded(1 + 9 * strength),
      opacity: rounded(share * (ray.isBlocked ? 1 : 0.12 + 0.88 * strength)),
      label: ray.says === '' ? null : labelOf(ray, curve, places),
    };
  });
}

/** Between two lines: from the word of the lower one, upright at both ends. */
function curveOf(from, to) {
  const middle = (from.y + to.y) / 2;
  return [from, { x: from.x, y: middle }, { x: to.x, y: middle }, to];
}

/** Above one line, the higher the farther the words are from each other; a loop for a word that looks at itself. */
function arcOf(from, to, extent) {
  const room = from.y - labelHeight; // the top of the drawing is at 0
  const distance = Math.abs(to.x - from.x);
  if (distance < 1) {
    const side = Math.min(26, room / 2);
    const point = (x, y) => ({ x: from.x + x, y: from.y - y });
    return [point(-4, 0), point(-side, 1.25 * side), point(side, 1.25 * side), point(4, 0)];
  }
  const height = 14 + (room - 14) * (distance / Math.max(distance, extent)) ** 0.7;
  // The top of the curve is at three quarters of its control points.
  const top = from.y - (4 / 3) * height;
  const aside = Math.sign(to.x - from.x) * Math.min(distance / 4, 40);
  return [from, { x: from.x + aside, y: top }, { x: to.x - aside, y: top }, to];
}

/** The percent stands beside the middle of a ray, or above the top of an arc. */
function labelOf({ says, weight, to }, curve, { isArc, width }) {
  // That of marks beside the words.
  const { x, y } = pointAt(curve, to === null && !isArc ? 0.75 : 0.5);
  const half = (1 + 9 * Math.min(1, Math.abs(weight))) / 2;
  const length = letterWidth * says.length;
  if (isArc) {
    const middle = Math.max(length / 2, Math.min(width - length / 2, x));
    return { x: rounded(middle), y: rounded(y - half - 3), anchor: 'middle' };
  }
  const isRoom = x + half + 6 + length <= width;
  const side = isRoom ? 1 : -1;
  return {
    ...{ x: rounded(x + side * (half + 6)), y: rounded(y + 5) },
    anchor: isRoom ? 'start' : 'end',
  };
}

/** @type {(curve: Point[], t: number) => Point} */
function pointAt([a, b, c, d], t) {
  const s = 1 - t;
  const between = (/** @type {'x' | 'y'} */ side) =>
    s ** 3 * a[side] + 3 * s * s * t * b[side] + 3 * s * t * t * c[side] + t ** 3 * d[side];
  return { x: between('x'), y: between('y') };
}

/** @param {number} length */
const rounded = (length) => Math.round(100 * length) / 100;

/** @param {Point[]} curve */
function pathOf(curve) {
  const [start, ...rest] = curve.map(({ x, y }) => `${rounded(x)} ${rounded(y)}`);
  return `M${start}C${rest.join(' ')}`;
}

const reach = 12; // max distance of the pointer from a ray in CSS pixels
const samples = 32; // points of a curve

/**
 * The ray nearest to a point, or null. Of rays that are equally far, one of the shown row comes first.
 * @param {DrawnRay[]} drawn
 * @param {Point} point
 */
export function nearestRay(drawn, point) {
  /** @type {DrawnRay | null} */
  let nearest = null;
  let least = reach;
  for (const ray of drawn) {
    const distance = distanceTo(ray, point) - (ray.isOwn ? reach / 4 : 0);
    if (distance > least) continue;
    least = distance;
    nearest = ray;
  }
  return nearest;
}

function distanceTo({ curve, width }, { x, y }) {
  let least = Infinity;
  let before = curve[0];
  for (let step = 1; step <= samples; ++step) {
    const now = pointAt(curve, step / samples);
    least = Math.min(least, toSegment(before, now, { x, y }));
    before = now;
  }
  return Math.max(0, least - width / 2);
}

function toSegment(a, b, point) {
  const [along, up] = [b.x - a.x, b.y - a.y];
  const length = along * along + up * up;
  const share = length && ((point.x - a.x) * along + (point.y - a.y) * up) / length;
  const t = Math.max(0, Math.min(1, share));
  return Math.hypot(point.x - a.x - t * along, point.y - a.y - t * up);
}

/**
 * Class names of a ray, which give it its color.
 * @param {Pick<Ray, 'isOwn' | 'isBlocked' | 'to' | 'weight'>} ray
 */
export const classOf = ({ isOwn, isBlocked, to, weight }) =>
  [
    ...['ray', isOwn && 'own', isBlocked && 'blocked'],
    ...[to === null && 'marks', weight < 0 && 'negative'],
  ]
    .filter(Boolean)
    .join(' ');

/** Dashes with a gap in the middle, of a path whose length counts as 100. */
export const dashes = '6 4 6 4 6 4 6 28 6 4 6 4 6 4 6 0';

const gap = 3; // CSS pixels between a word and its rays

/**
 * Positions of words in a frame, read from the page. `first`: the words that look; `second`: those of the other text, or
 * null for one text; `frame`: the element that the rays are drawn in.
 * @param {{ first: Element[], second: Element[] | null, frame: Element }} read
 * @returns {Places}
 */
export function placesOf({ first, second, frame }) {
  // On paper the frame is zoomed, and with it the drawing.
  const boxOf = boxIn(frame);
  const { left, top, width, height } = boxOf(frame);
  /** @type {(side: 'top' | 'bottom') => (word: Element) => Point} */
  const middleOf = (side) => (word) => {
    const box = boxOf(word);
    const y = box[side] - top + (side === 'top' ? -gap : gap);
    return { x: box.left - left + box.width / 2, y };
  };
  const from = first.map(middleOf('top'));
  const to = second ? second.map(middleOf('bottom')) : from;
  const last = (second ?? first).at(-1);
  return {
    from,
    to,
    end: endBehind(last, to.at(-1), { boxOf, left }),
    isArc: !second,
    width,
    height,
  };
}

/** Boxes of elements in the pixels of a frame that may be zoomed. */
function boxIn(frame) {
  const zoom = frame.currentCSSZoom ?? 1;
  return (/** @type {Element} */ one) => {
    const { left, top, bottom, right, width, height } = one.getBoundingClientRect();
    const [x, y] = [left / zoom, top / zoom];
    const size = { width: width / zoom, height: height / zoom };
    return { left: x, top: y, bottom: bottom / zoom, right: right / zoom, ...size };
  };
}

/** End of the ray to marks: at the punctuation behind the last word, or beside the word. */
function endBehind(word, middle, { boxOf, left }) {
  if (!word || !middle) return { x: 0, y: 0 };
  const box = boxOf(word);
  const isRightToLeft = getComputedStyle(word).direction === 'rtl';
  const aside = box.height / 8;
  const edge = isRightToLeft ? box.left - aside : box.right + aside;
  return { x: edge - left, y: middle.y };
}
