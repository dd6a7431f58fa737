// One change and its effect in the strip: what is changed, a probability before → after, and what the model writes.

import { h } from '../component.js';
import { formatChance, formatPercent } from '../number_formats.js';
import { changedWords } from './changed_words.js';

/**
 * `changes`: [{ says, undo }], `undo()` is optional; `bars`: arguments of BeforeAfter, or null; `button`: what takes the
 * change back, or makes it.
 */
export const Answer = ({ name, changes, bars, button, children }) =>
  h(
    'div',
    { class: 'answer' },
    h(
      'div',
      { class: 'blocked' },
      h(
        'ul',
        { 'aria-label': name },
        changes.map(({ says, undo }) => h('li', { key: says }, h(Change, { says, undo }))),
      ),
      bars && h(BeforeAfter, bars),
      button,
    ),
    children,
  );

const Change = ({ says, undo }) => [
  h('bdi', null, says),
  undo &&
    h(
      'button',
      { type: 'button', 'aria-label': `Undo: ${says}`, title: 'Undo', onClick: undo },
      '×',
    ),
];

/** `before` and `after`: { text, share } of the words; `title` names what they are. */
const BeforeAfter = ({ title, before, after, lang }) =>
  h(
    'p',
    { class: 'before-after' },
    h('span', { class: 'says' }, `${title}: `),
    h(Bar, { ...before, lang }),
    h('span', { 'aria-hidden': 'true' }, ' → '),
    h('span', { class: 'unseen' }, ' before, now '),
    h(Bar, { ...after, lang }),
  );

const Bar = ({ text, share, lang }) =>
  h(
    'span',
    { class: 'bar', style: { '--share': share.toFixed(4) } },
    h('bdi', { lang }, text),
    ' ',
    formatChance(share),
  );

/** The likeliest next word before and after as arguments of BeforeAfter, or null; words: [{ text, share }]. */
export function nextBars(before, after, lang) {
  const likeliest = (words) =>
    words.reduce((best, word) => (best && best.share >= word.share ? best : word), null);
  const [was, now] = [before, after].map(likeliest);
  return was && now ? { title: 'Next word', before: was, after: now, lang } : null;
}

/** A text that the model writes, with the words that changed marked. */
export const WrittenText = ({ was, now, lang }) => [
  was === now ? 'It still writes: ' : 'Now it writes: ',
  h(
    'bdi',
    { class: 'text', lang },
    changedWords(was, now).map((part, at) => [at > 0 && ' ', h(Part, part)]),
  ),
];

/** Words with a mark; screen readers do not tell `ins` and `del` apart, so it is also in hidden words. */
function Part({ text, is }) {
  if (is === 'same') return h('span', null, text);
  const [tag, says] = is === 'new' ? ['ins', '(new: '] : ['del', '(no longer: '];
  return [
    h('span', { class: 'unseen' }, says),
    h(tag, null, text),
    h('span', { class: 'unseen' }, ')'),
  ];
}

/** The first of a list of words with their probabilities. */
export const Words = ({ words }) =>
  words
    .slice(0, 3)
    .map(({ text, probability }, at) => [
      at > 0 && ', ',
      h('bdi', null, text),
      ` ${formatPercent(probability)}`,
    ]);
