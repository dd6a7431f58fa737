// The words of the initial picture as HTML, in the form that the page's text view gives them, so that a reader can read
// words and weights before the page's script is loaded.

import { colorScale } from 'attention-wasm/heatmap';
import { plainPalette } from './demo/page/palette.js';
import { shortWeight } from './demo/page/texts/short_weight.js';
import { topWeight } from './demo/page/views/head_of_picture.js';
import { isMarks, placeIn, stageRow } from './demo/positions.js';

/**
 * index.html with the words of a picture in its two texts.
 * @param {string} html
 * @param {{ picture: import('./demo/types').Picture, facts: import('./demo/types').Facts }} shown
 * @param {object} state what is selected in it
 */
export function withWords(html, { picture, facts }, state) {
  const { row, column } = placeIn(picture, state);
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
  const [rows, columns] = [first, second].map((words, at) => sentenceOf(facts.texts[at], words));
  return into(into(html, 'first-words', rows), 'second-words', columns);
}

/** Puts words into an empty element. */
function into(html, id, words) {
  const tag = new RegExp(`(<div[^>]*\\bid="${id}"[^>]*>)\\s*(?=</div>)`);
  if (!tag.test(html)) throw new Error(`index.html has no empty element ${id}`);
  return html.replace(tag, (opening) => opening.trimEnd() + words);
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

// The colors, "fill;text" on light and on dark, are attributes: the page's policy forbids inline styles. start.js sets
// them.
function wordOf({ label, isRead = false, isLooked = false, isSelected, weight, top }) {
  const look = isRead ? ' class="read"' : isLooked ? ' class="looked"' : '';
  const [light, dark] = [false, true].map((isDark) => {
    const { fill, text } = colorScale(plainPalette(isDark)).colorOf(weight / top);
    return `${fill};${text}`;
  });
  const shade =
    weight === undefined
      ? ''
      : ` data-weight="${shortWeight(weight)}" data-light="${light}" data-dark="${dark}"`;
  const opening = `<span role="option" aria-selected="${isSelected}"${look}${shade}>`;
  return { start: label.start, stop: label.end, opening };
}
