// The page's body as it opens as HTML: the page's own components with the initial picture, so that a reader can read it before
// the page's script is loaded, which takes it over. Words of the texts, which the page draws by hand, are written here in the
// form that it gives them.

import { colorScale } from 'attention-wasm/heatmap';
import { renderToString } from 'preact-render-to-string';
import { packPicture, unpackPicture } from './demo/packed_picture.js';
import { App } from './demo/page/app.jsx';
import { h } from './demo/page/component.jsx';
import { EmbedPage, emptyPage } from './demo/page/embed/embed_page.jsx';
import { formatShare } from './demo/page/number_formats.js';
import { openingOf } from './demo/page/opening.js';
import { plainPalette } from './demo/page/palette.js';
import { shortWeight } from './demo/page/texts/short_weight.js';
import { topWeight } from './demo/page/views/head_of_picture.js';
import { isMarks, placeIn, stageRow } from './demo/positions.js';

/** Puts a body into its place in a page. */
function into(html, file, body) {
  const place = `<!-- ${file} -->`;
  if (!html.includes(place)) throw new Error(`the page has no ${place}`);
  // The page's policy forbids inline styles, which start.js sets.
  return html.replace(place, () => body.replaceAll(' style="', ' data-style="'));
}

/** embed.html with the body that its script takes over. */
export const withEmbed = (html) =>
  into(html, 'embed_page.jsx', renderToString(h(EmbedPage, emptyPage)));

/**
 * index.html with the body.
 * @param {string} html
 * @param {object} shown the worker's answer { picture, facts }; `sources` of vectors, as listSources() has them
 */
export function withOpening(html, { sources, ...answer }) {
  const ready = unpackPicture(packPicture(answer));
  const opening = openingOf(sources, ready);
  const { picture, facts } = ready;
  const selected = placeIn(picture, opening.now.chosen);
  const [first, second] = wordsOf({ picture, facts }, selected);
  const built = {
    rays: JSON.stringify(raysOf(picture, selected)),
    words: [{ __html: first }, { __html: second }],
  };
  const body = renderToString(h(App, { ...opening, built, act: {}, drawings: {} }));
  return into(html, 'app.jsx', body);
}

/** Links whose rays start.js draws: it knows the positions of the words. */
function raysOf({ rows, columns, stages: { weights } }, { row }) {
  const rounded = (weight) => Math.round(1e6 * weight) / 1e6;
  const own = stageRow({ rows, columns, stages: { weights } }, 'weights', 0, row);
  const percents = columns.map((_, at) => [rounded(own[at]), formatShare(own[at])]);
  return {
    weights: Array.from(weights, rounded),
    ...{ rows: rows.length, shown: row, isOneText: false },
    to: columns.map((label, at) => (isMarks(label) ? null : at)),
    percents: Object.fromEntries(percents),
  };
}

/** HTML of the words of both texts. */
function wordsOf({ picture, facts }, { row, column }) {
  const weights = stageRow(picture, 'weights', 0, row);
  const top = topWeight(weights, weights.length);
  const first = picture.rows.map((label, at) =>
    wordOf({ label, isRead: at === row, isSelected: at === row }),
  );
  const second = picture.columns
    .filter((label) => !isMarks(label))
    .map((label, at) =>
      wordOf({
        label,
        isSelected: at === column,
        isLooked: at === column,
        weight: weights[at],
        top,
      }),
    );
  return [first, second].map((words, at) => sentenceOf(facts.texts[at], words));
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Words, and the text between them. */
function sentenceOf(text, words) {
  let end = 0;
  let html = '';
  for (const { start, stop, opening } of words) {
    html += `${escaped(text.slice(end, start))}${opening}${escaped(text.slice(start, stop))}</span>`;
    end = stop;
  }
  return html + escaped(text.slice(end));
}

/** @type {(weight: number, top: number) => string} */
function shadeOf(weight, top) {
  const [light, dark] = [false, true].map((isDark) => {
    const { fill, text } = colorScale(plainPalette(isDark)).colorOf(weight / top);
    return `${fill};${text}`;
  });
  return ` data-weight="${shortWeight(weight)}" data-light="${light}" data-dark="${dark}"`;
}

/**
 * A word of a text. Its colors, "fill;text" on light and on dark, are attributes: the page's policy forbids inline styles.
 * start.js sets them.
 *
 * @typedef {import('./demo/types').Label} Label
 * @param {{ label: Label, isRead?: boolean, isLooked?: boolean, isSelected: boolean, weight?: number, top?: number }} word
 */
function wordOf({ label, isRead = false, isLooked = false, isSelected, weight, top }) {
  const look = isRead ? ' class="read"' : isLooked ? ' class="looked"' : '';
  const shade = weight === undefined || top === undefined ? '' : shadeOf(weight, top);
  const opening = `<span role="option" aria-selected="${isSelected}"${look}${shade}>`;
  return { start: label.start, stop: label.end, opening };
}
