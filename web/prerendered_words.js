// The initial picture as HTML, in the form that the page gives it, so that a reader can read it before the page's script is
// loaded, and nothing moves when it is: words and weights, names of the texts, examples, sentence, buttons, next words.

import { colorScale } from 'attention-wasm/heatmap';
import { renderToString } from 'preact-render-to-string';
import { packPicture, unpackPicture } from './demo/packed_picture.js';
import { h } from './demo/page/component.jsx';
import { examplesOf } from './demo/page/examples.js';
import { fieldNames, partsOfName } from './demo/page/field_names.js';
import { NextWords } from './demo/page/next_words/next_words.jsx';
import { Note } from './demo/page/note.jsx';
import { noteOf } from './demo/page/notices.js';
import { formatShare } from './demo/page/number_formats.js';
import { plainPalette } from './demo/page/palette.js';
import { Sentence } from './demo/page/sentence/sentence.jsx';
import { sentenceParts } from './demo/page/sentence/sentence_text.js';
import { shortWeight } from './demo/page/texts/short_weight.js';
import { topWeight } from './demo/page/views/head_of_picture.js';
import { BlockButton } from './demo/page/what_if/block_button.jsx';
import { isMarks, placeIn, stageRow } from './demo/positions.js';

/**
 * index.html with a picture.
 * @param {string} html
 * @param {object} shown the worker's answer { picture, facts }; `next`: NextWords of the selected row; `state` of the page;
 * `source` of vectors, as listSources() has it
 */
export function withOpening(html, { next, state, source, ...answer }) {
  const { picture, facts } = unpackPicture(packPicture(answer));
  const place = { ...placeIn(picture, state), head: 0 };
  const [rows, columns] = wordsOf({ picture, facts }, place);
  const { read } = fieldNames(source, state.mode, facts, state.french === '');
  const token = picture.rowTokens[place.row][0];
  const { first, others } = examplesOf(source, state.mode);
  const parts = sentenceParts({ picture, facts, place, source: source.id });
  const filled = [
    ['div', 'id="first-words"', rows],
    ['div', 'id="second-words"', columns],
    ['div', 'class="examples"', first.map(buttonOf).join('')],
    ['div', 'class="examples others"', others.map(buttonOf).join('')],
    ['p', 'class="looking"', renderToString(h(Sentence, { parts }))],
    ['div', 'class="block-it"', unusable(h(BlockButton, { action: null }))],
    ['div', 'class="next-words"', unusable(h(NextWords, { answer: next, token, begin: '' }))],
    ['p', 'class="hint note"', renderToString(h(Note, noteOf(facts, state, picture)))],
  ].reduce((page, [tag, mark, content]) => into(page, tag, mark, content), html);
  return ['first', 'second'].reduce(
    (page, field, at) => named(page, field, partsOfName(read[at])),
    filled
      .replace('class="sentences two"', 'class="sentences two named"')
      .replace(
        'class="rays-room"',
        `class="rays-room" data-rays="${attribute(raysOf(picture, place))}"`,
      ),
  );
}

/** What start.js draws the rays of: it knows the positions of the words. */
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

const buttonOf = ({ name, lang }) =>
  `<button type="button" lang="${lang}">${escaped(name)}</button>`;

/** HTML of a component whose buttons wait for the script; the page's policy forbids inline styles, which start.js sets. */
const unusable = (component) =>
  renderToString(component)
    .replaceAll(/<button (?!disabled)/g, '<button disabled ')
    .replaceAll(' style="', ' data-style="');

/** Puts content into the empty element of this tag with this attribute. */
function into(html, tag, mark, content) {
  const empty = new RegExp(`(<${tag}[^>]*\\s${mark}[^>]*>)\\s*(?=</${tag}>)`);
  if (!empty.test(html)) throw new Error(`index.html has no empty <${tag} ${mark}>`);
  return html.replace(empty, (opening) => opening.trimEnd() + content);
}

/**
 * Puts the name of a field, and what its text is, into its label.
 *
 * @type {(html: string, field: string, name: string[]) => string}
 */
function named(html, field, [name, says]) {
  const empty = new RegExp(
    `(<label for="${field}">\\s*<span class="given-name">)(</span> <small>)`,
  );
  if (!empty.test(html)) throw new Error(`index.html has no empty name of ${field}`);
  return html.replace(empty, (_, start, middle) => start + escaped(name) + middle + escaped(says));
}

const attribute = (value) => escaped(JSON.stringify(value)).replaceAll('"', '&quot;');
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
