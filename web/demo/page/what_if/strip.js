// The strip of the answer: what is blocked, the next word before → after, what the model writes now, and undo.

import { h } from '../component.js';
import { formatPercent } from '../number_formats.js';
import { kindsIn } from './actions.js';
import { changedWords } from './changed_words.js';

/**
 * `blocks`: [{ item, says }]; `effect`: an Effect, null for a model that writes nothing, or undefined until it is known;
 * `next`: NextWords with probabilities before, or null; `setBlock(text)` changes what is blocked.
 */
export function Strip({ blocks, effect, next, setBlock }) {
  const items = blocks.map(({ item }) => item);
  const without = (item) => items.filter((one) => one !== item).join(',');
  return [
    h(
      'div',
      { class: 'blocked' },
      h(
        'ul',
        { 'aria-label': 'Blocked' },
        blocks.map(({ item, says }) =>
          h('li', { key: item }, h(Blocked, { says, undo: () => setBlock(without(item)) })),
        ),
      ),
      h(
        'button',
        { type: 'button', class: 'quiet undo', title: 'Key U', onClick: () => setBlock('') },
        items.length > 1 ? 'Undo all' : 'Undo',
      ),
    ),
    next && h(NextWord, { words: next.words, lang: next.lang }),
    h('p', { class: 'now', role: 'status' }, h(Written, { effect })),
    effect !== undefined &&
      h('p', { class: 'hint means' }, meaningOf(effect, kindsIn(items.join(',')))),
  ];
}

const Blocked = ({ says, undo }) => [
  h('bdi', null, says),
  h('button', { type: 'button', 'aria-label': `Undo: ${says}`, title: 'Undo', onClick: undo }, '×'),
];

/** The likeliest word before, and now. */
function NextWord({ words, lang }) {
  const { before, now } = likeliestOf(words);
  if (!before || !now) return null;
  return h(
    'p',
    { class: 'before-after' },
    h('span', { class: 'says' }, 'Next word: '),
    h(Bar, { word: before.text, share: before.was, lang }),
    h('span', { 'aria-hidden': 'true' }, ' → '),
    h('span', { class: 'unseen' }, ' before, now '),
    h(Bar, { word: now.text, share: now.probability, lang }),
  );
}

/** { before, now }: the words with the largest probability before something was blocked, and now. */
export function likeliestOf(words) {
  const largest = (name) =>
    words
      .filter((word) => word[name] !== undefined)
      .reduce((best, word) => (best && best[name] >= word[name] ? best : word), null);
  return { before: largest('was'), now: largest('probability') };
}

const Bar = ({ word, share, lang }) =>
  h(
    'span',
    { class: 'bar', style: { '--share': share.toFixed(4) } },
    h('bdi', { lang }, word),
    ' ',
    formatPercent(share),
  );

/** What the model writes now; `waiting`: text until that is known. */
export const Written = ({ effect, waiting = '' }) => (effect ? h(Sentence, { effect }) : waiting);

function Sentence({ effect }) {
  const { kind, was, now, lang } = effect;
  if (kind === 'own') {
    return [
      'Probability of your text: ',
      h('strong', null, formatSmall(now)),
      `, ${formatSmall(was)} before`,
    ];
  }
  if (kind === 'likeliest') {
    return ['Most likely now: ', h(Words, { words: now }), ' · before: ', h(Words, { words: was })];
  }
  const text = h(
    'bdi',
    { class: 'text', lang },
    changedWords(was, now).map((part, at) => [at > 0 && ' ', h(Part, part)]),
  );
  return [was === now ? 'It still writes: ' : 'Now it writes: ', text];
}

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

const Words = ({ words }) =>
  words
    .slice(0, 3)
    .map(({ text, probability }, at) => [
      at > 0 && ', ',
      h('bdi', null, text),
      ` ${formatPercent(probability)}`,
    ]);

const formatSmall = (p) => (p >= 0.001 ? formatPercent(p) : p.toExponential(1).replace('-', '−'));

function hasChanged({ kind, was, now }) {
  if (kind === 'own') return Math.abs(Math.log(was / now)) > 0.01;
  return kind === 'likeliest' ? was[0].text !== now[0].text : was !== now;
}

/** What the result shows, and what it does not. */
export function meaningOf(effect, { oneLayer }) {
  if (!effect) return 'The model writes nothing here. Compare shows the weights as they were.';
  if (hasChanged(effect))
    return 'It was used here. In other texts, other words and heads may matter.';
  return oneLayer
    ? 'One layer only: the word may arrive in other layers and heads, or by way of other words.'
    : 'That does not show it was useless: other words and heads may take over.';
}
