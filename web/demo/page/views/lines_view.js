// Lines view: two columns of words with a link for every weight, its opacity the weight, its color the head. Words are
// text; links are drawn on a canvas as large as the visible part.

import { afterWriting } from '../scheduling.js';
import { createHeadChips } from './head_chips.js';
import { plainPalette, screenColors } from '../palette.js';
import { crossing, drawLinks, linesToSVG, linksOf } from './lines_drawing.js';
import { createWordList } from './word_list.js';
import '../style/lines.css';

const surroundings = 68; // height of chips and titles in CSS pixels
const maxHeight = 8192; // max device pixels of a canvas side in all browsers

/** Fills `element` and takes its natural height; `select` and `hover` are called with { row } or { column }. */
export function create(element, { select, hover }) {
  element.classList.add('lines-view');
  const chips = createHeadChips(() => draw());
  const frame = document.createElement('div');
  frame.className = 'columns';
  const sides = { row: sideOf('row'), column: sideOf('column') };
  const between = document.createElement('div');
  between.className = 'between';
  const canvas = between.appendChild(document.createElement('canvas'));
  canvas.setAttribute('aria-hidden', 'true');
  frame.append(sides.row.box, between, sides.column.box);
  element.append(chips.element, frame);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));

  let picture = null;
  let selection = null;
  let settings = {};
  let giveUp = () => {}; // cancels drawing in progress
  let drawn = { links: [], top: 0, height: 0 };
  let room = Infinity; // visible height

  function sideOf(part) {
    return createWordList(part, {
      hover: (index) => hover(index === null ? null : { [part]: index }),
      select: (index) => select({ [part]: index }),
      leave: (other) => sides[other].focus(),
    });
  }

  function show(nextPicture, nextSelection, nextSettings = {}) {
    const isEmpty =
      !nextPicture || nextPicture.rows.length === 0 || nextPicture.columns.length === 0;
    frame.hidden = isEmpty;
    chips.show(isEmpty ? 0 : nextPicture.heads);
    [picture, selection, settings] = [isEmpty ? null : nextPicture, nextSelection, nextSettings];
    if (isEmpty) return;
    const { rowTitle = 'word', columnTitle = 'looks at' } = settings;
    sides.row.fill(picture.rows, rowTitle);
    sides.column.fill(picture.columns, columnTitle);
    setDensity();
    drawLater();
  }

  function setDensity() {
    const count = Math.max(picture.rows.length, picture.columns.length);
    frame.dataset.density = densityOf(count, room - surroundings);
  }

  const drawLater = afterWriting(draw);
  function draw() {
    if (!picture) return;
    const pointed = { row: selection.row, column: selection.column, ...selection.hovered };
    const of = wordPointedAt(selection.hovered);
    const links = linksBetween(of);
    drawInSight(links);
    const strengths = (side) => (of && of[side] === undefined ? strongest(links, side) : null);
    sides.row.mark(pointed.row, selection.row, strengths('row'));
    sides.column.mark(pointed.column, selection.column, strengths('column'));
  }

  function drawInSight(links) {
    const place = placeOf();
    const { top, height } = inSight(place);
    const ratio = Math.min(window.devicePixelRatio || 1, maxHeight / Math.max(1, height));
    const [wide, tall] = [place.width, height].map((length) => Math.round(length * ratio));
    if (canvas.width !== wide || canvas.height !== tall) {
      Object.assign(canvas, { width: wide, height: tall });
    }
    canvas.style.top = `${top}px`;
    canvas.style.height = `${height}px`;
    giveUp();
    context.setTransform(ratio, 0, 0, ratio, 0, -top * ratio);
    context.clearRect(0, top, place.width, height);
    giveUp = drawLinks(context, crossing(links, place.middles, { top, height }), place);
    drawn = { links, top, height };
  }

  /** The visible part of the links; all of them for print. */
  function inSight({ above, height: whole }) {
    if (document.documentElement.classList.contains('printing')) return { top: 0, height: whole };
    const top = Math.max(0, Math.min(element.scrollTop - above, whole));
    return { top, height: Math.max(1, Math.min(element.clientHeight, whole - top)) };
  }

  element.addEventListener('scroll', () => {
    if (!picture) return;
    const { top, height } = inSight(placeOf());
    if (top !== drawn.top || height !== drawn.height) drawInSight(drawn.links);
  });

  function linksBetween(of) {
    const { rows, columns, heads, stages } = picture;
    return linksOf({
      weights: stages.weights,
      heads: headsOf(heads),
      rows: rows.length,
      columns: columns.length,
      of,
      threshold: settings.threshold,
    });
  }

  const headsOf = (count) => Array.from({ length: count }, (_, head) => head).filter(chips.isDrawn);

  function placeOf() {
    const { top, width, height } = between.getBoundingClientRect();
    return {
      width,
      height,
      above: top - element.getBoundingClientRect().top + element.scrollTop,
      middles: { rows: sides.row.middles(top), columns: sides.column.middles(top) },
      strands: picture.heads,
      blue: settings.palette.blue,
    };
  }

  new ResizeObserver(draw).observe(frame);
  new ResizeObserver(([{ contentRect }]) => {
    room = contentRect.height;
    if (picture) setDensity();
  }).observe(element);

  return {
    show,
    /** All links at their current size. */
    toSVG({ dark } = screenColors) {
      const colors = dark === undefined ? settings.palette : plainPalette(dark);
      const text = ({ text: word }) => word;
      return linesToSVG({
        rows: picture.rows.map(text),
        columns: picture.columns.map(text),
        heads: headsOf(picture.heads),
        links: linksBetween(null),
        place: { ...placeOf(), blue: colors.blue },
        colors,
        family: getComputedStyle(element).fontFamily,
      });
    },
  };
}

// A hovered word shows only its own links.
function wordPointedAt(hovered) {
  if (!hovered) return null;
  const { row, column } = hovered;
  return row === undefined ? { column } : { row };
}

/** Largest weight of each word on one side over the drawn heads. */
function strongest(links, side) {
  const top = new Map();
  for (const link of links)
    top.set(link[side], Math.max(top.get(link[side]) ?? 0, Math.abs(link.weight)));
  return top;
}

// Line height: as large as lets all words fit, but readable.
function densityOf(count, room) {
  if (32 * count <= room) return 'roomy';
  if (24 * count <= room || count <= 80) return 'close';
  return 'dense';
}
