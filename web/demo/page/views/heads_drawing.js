// SVG export of the heads view: small pictures with captions, a row for each layer. It is no wider than the page that
// shows it; captions are cut at the width of their picture, whatever the font.

import { colorScale, heatmapSVG, visibleText } from 'attention-wasm/heatmap';
import { plainPalette, screenColors } from '../palette.js';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';
import { wrapText } from '../wrapped_text.js';
import { scoreOf, scoreText, shareOf } from './head_colors.jsx';
import { gridOf, wrapLines } from './head_grid.js';
import { optionsOfHead, roleText, spreadText } from './head_of_picture.js';

const maxWidth = 1120;
const maxTile = 150;
const maxHeads = 16; // of a row
const gap = 14;
const line = 20;
const small = 13; // height of a line of a caption
const letterWidth = 5.6; // px, about that of a letter of 11 px
const maxLines = 4; // of a caption
const frame = 4;

/** `dark`: true, false, or undefined for the page's colors. */
export function headsToSVG(inputs, { dark } = screenColors) {
  const { thumbnails, colors, palette } = inputs;
  const { ink, muted, surface } = dark === undefined ? palette : plainPalette(dark);
  const { lines, heads: columns } = wrapLines(
    gridOf(thumbnails).lines.map(([, heads]) => ({ heads })),
    maxHeads,
  );
  const tile = Math.min(maxTile, Math.floor((maxWidth - gap) / columns) - gap);
  const scale = colorScale({ surface, colors });
  const shown = [];
  let y = gap;
  for (const { heads } of lines) {
    const captions = heads.map((head) => captionLines(head, inputs, tile));
    const tall = small * Math.max(...captions.map(({ length }) => length));
    const height = Math.min(2 * tile, (tile * heads[0].rows) / heads[0].columns);
    shown.push(text(heads[0].name, { x: gap, y: y + 14, fill: muted, size: 12 }));
    heads.forEach((head, at) => {
      const x = gap + at * (tile + gap);
      const fill = frameOf(head, inputs, scale);
      const around = { x: x - frame, y: y + line - frame };
      const size = { width: tile + 2 * frame, height: height + 2 * frame };
      shown.push(
        ...(fill ? [svgElement('rect', { ...around, ...size, fill, class: 'frame' })] : []),
        svgElement(
          'g',
          { transform: `translate(${x} ${y + line})` },
          pictureOf(head, { ...inputs, dark: dark ?? palette.dark, width: tile, height }),
        ),
        captionOf(captions[at], {
          x,
          y: y + line + height + frame,
          width: tile,
          height: tall,
          ink,
        }),
      );
    });
    y += line + height + frame + tall + gap;
  }
  const title = 'Attention weights of all heads';
  const family = getComputedStyle(document.body).fontFamily;
  const width = gap + columns * (tile + gap);
  return writeSVG(svgDocument({ width, height: Math.ceil(y), title, family, surface }, shown));
}

const text = (says, { size, ...place }) =>
  svgElement('text', { ...place, 'font-size': size }, visibleText(says));

/** Color of a head's frame, or null. */
function frameOf(head, { colorBy }, scale) {
  const score = scoreOf(head, colorBy);
  return score === null ? null : scale.colorOf(shareOf(score, colorBy, head.columns)).fill;
}

/** Lines of a head's caption: its number, the score that it is framed with, how many words it looks at, and its role. */
function captionLines(head, { colorBy, unit }, width) {
  const letters = Math.max(4, Math.floor(width / letterWidth));
  const score = scoreOf(head, colorBy);
  const spread = spreadText(head, unit);
  const says = [
    `Head ${head.head + 1}`,
    ...(score === null ? [] : [scoreText(score, colorBy)]),
    ...(spread === null ? [] : [`≈ ${spread}`]),
    ...(head.role ? [roleText(head.role)] : []),
  ];
  return wrapText(visibleText(says.join(', ')), letters, maxLines);
}

/** A caption, which its own box cuts. */
const captionOf = (lines, { ink, ...box }) =>
  svgElement(
    'svg',
    { ...box, class: 'head-caption' },
    ...lines.map((says, at) => text(says, { x: 0, y: (at + 1) * small - 3, fill: ink, size: 11 })),
  );

let pictures = 0;

function pictureOf(head, { colors, scaling, dark, width, height }) {
  const options = {
    ...optionsOfHead(head, scaling),
    ...{ colors, labels: false, legend: false, numbers: false },
  };
  const svg = heatmapSVG(options, { width, height, dark });
  // Ids must be unique within one document.
  const own = svg.replaceAll('heatmap-', `head-${++pictures}-`);
  return new DOMParser().parseFromString(own, 'image/svg+xml').documentElement;
}
