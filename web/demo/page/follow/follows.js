// What may follow: beside the word that is being written, the words that the model finds likeliest there, and what it
// looks at. Another of them is a choice: the translation is written anew from there.

import { formatValue, visibleText } from 'attention-wasm/heatmap';
import { rowOf } from '../../places.js';
import { element, write } from '../element.js';
import './follows.css';

const leastLooked = 0.05; // of a weight that is told

/** `ask(token)` resolves to types.d.ts' NextWords of the word that a token belongs to; `change` as everywhere. */
export function createFollows(root, { change, ask }) {
  const title = element('h3', { id: 'follows-title' });
  const list = element('ol', { 'aria-labelledby': title.id });
  const looks = element('p', { class: 'looks' });
  const back = element(
    'button',
    { type: 'button', class: 'quiet', hidden: true, click: () => change({ begin: '' }) },
    'The model’s own',
  );
  root.append(title, list, looks, back);
  let wanted = '';
  let known = new Map(); // row's token → what may stand there, in one text
  let knownText = '';

  /** Undefined while it is on its way. */
  function answerFor(text, token) {
    if (text !== knownText) [known, knownText] = [new Map(), text];
    return known.get(token);
  }

  async function fetchWords(text, token, show) {
    const key = JSON.stringify([text, token]);
    if (key === wanted) return;
    wanted = key;
    const answer = await ask(token);
    if (wanted === key) wanted = '';
    if (answer.text !== text || text !== knownText) return;
    known.set(token, answer);
    show();
  }

  function show({ state, picture, facts, at }) {
    back.hidden = state.begin === '';
    if (!at) return;
    const token = picture.rowTokens[at.row][0];
    const isWritten = !picture.part.startsWith('encoder');
    root.classList.toggle('empty', !isWritten);
    if (!isWritten) return;
    const [text] = facts.texts;
    const answer = answerFor(text, token);
    if (!answer) {
      fetchWords(text, token, () => show({ state, picture, facts, at }));
      return;
    }
    const { before, own, words } = answer;
    write(title, before === '' ? 'Likeliest at the start' : `Likeliest after “${shorten(before)}”`);
    showWords(words, own, token);
    write(
      looks,
      `${isAligned(picture) ? 'looking at' : 'looking back at'} ${lookedAt(picture, at)}`,
    );
  }

  function showWords(words, own, token) {
    const key = JSON.stringify([words, own, token]);
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(
      ...words.map((word) => element('li', {}, choiceOf(word, word.text === own, token))),
    );
    if (hadFocus) list.querySelector('button')?.focus();
  }

  function choiceOf({ text, probability, begin, special }, isOwn, token) {
    const written = special ? 'the end' : visibleText(text);
    const inside = [
      element('bdi', { lang: 'fr' }, written),
      ' ',
      element('span', {}, formatValue(probability, { decimals: 3 })),
    ];
    const made = isOwn
      ? element('strong', { 'aria-current': 'true' }, inside)
      : element(
          'button',
          { type: 'button', title: `Go on from “${begin}”`, click: choose },
          inside,
        );
    made.style.setProperty('--share', probability);
    return made;

    function choose() {
      // A sentence that ends here is one of the reader's own.
      if (special) change({ french: begin, begin: '' });
      else change({ french: '', begin, row: token, column: null });
    }
  }

  return { show };
}

const isAligned = ({ part }) => part.startsWith('cross');

/** The end of a long beginning. */
function shorten(text) {
  const words = text.split(' ');
  return words.length <= 4 ? text : `… ${words.slice(-3).join(' ')}`;
}

function lookedAt(picture, { row, head }) {
  const weights = rowOf(picture, 'weights', head, row);
  return Array.from(picture.columns, ({ text }, column) => ({ text, weight: weights[column] }))
    .filter(({ weight }) => weight >= leastLooked)
    .sort((a, b) => b.weight - a.weight)
    .map(({ text, weight }) => `${visibleText(text)} ${weight.toFixed(2)}`)
    .join(', ');
}
