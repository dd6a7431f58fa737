// The lines view: two columns of words and a link for every weight, as strong as the weight is, in the
// colour of its head. Words are text; the links are a canvas between them, as large as what is in sight.

import { afterWriting } from '../after_writing.js';
import { createHeadChips } from './head_chips.js';
import { plainPalette } from '../palette.js';
import { crossing, drawLinks, linesToSVG, linksOf } from './lines_drawing.js';
import { createWordList } from './word_list.js';
import '../style/lines.css';

const surroundings = 68; // pixels of chips and titles above the words
const maxHeight = 8192; // device pixels that a canvas may have in every browser

/** Fills `element`, as tall as it takes; `select` and `hover` are given { row } or { column }. */
export function createLines(element, { select, hover }) {
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
  const context = canvas.getContext('2d');

  let picture = null;
  let selection = null;
  let settings = {};
  let giveUp = () => {}; // what is still being drawn
  let drawn = { links: [], top: 0, height: 0 };
  let room = Infinity; // the height of what is in sight

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
    const { rowTitle = 'reads', columnTitle = 'is read' } = settings;
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

  /** The part of the links that is not scrolled away; on paper all of them. */
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
      heads: Array.from({ length: heads }, (_, head) => head).filter(chips.isDrawn),
      rows: rows.length,
      columns: columns.length,
      of,
      threshold: settings.threshold,
    });
  }

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
    /** As large as it is drawn, with all its links. */
    toSVG({ dark } = {}) {
      const colors = dark === undefined ? settings.palette : plainPalette(dark);
      const text = ({ text: word }) => word;
      return linesToSVG({
        rows: picture.rows.map(text),
        columns: picture.columns.map(text),
        links: linksBetween(null),
        place: { ...placeOf(), blue: colors.blue },
        colors,
        family: getComputedStyle(element).fontFamily,
      });
    },
  };
}

// Pointing at a word leaves only its links.
function wordPointedAt(hovered) {
  if (!hovered) return null;
  const { row, column } = hovered;
  return row === undefined ? { column } : { row };
}

/** How much of the pointed word's attention a word has, over the heads that are drawn. */
function strongest(links, side) {
  const top = new Map();
  for (const link of links)
    top.set(link[side], Math.max(top.get(link[side]) ?? 0, Math.abs(link.weight)));
  return top;
}

// So many words below each other, as roomy as they can all be seen; otherwise as can be read.
function densityOf(count, room) {
  if (32 * count <= room) return 'roomy';
  if (24 * count <= room || count <= 80) return 'close';
  return 'dense';
}
