// What may follow: beside the word that is being written, the words that the model finds likeliest there, and what it
// looks at. Another of them is a choice: the translation is written anew from there.

import { formatValue, visibleText } from 'attention-wasm/heatmap';
import { rowOf } from '../../places.js';
import { element, write } from '../element.js';
import './follows.css';

const leastLooked = 0.05; // of a weight that is told

/** `ask(first, last)` resolves to types.d.ts' NextWords of tokens that are one row; `change` as everywhere. */
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
  const mask = element('button', { type: 'button', class: 'quiet', hidden: true, click: leaveOut });
  root.append(mask);
  let wanted = '';
  let known = new Map(); // row's tokens → what may stand there, of the same texts and model
  let knownOf = '';
  let told = null; // the answer that is shown

  /** Undefined while it is on its way. */
  function answerFor(what, tokens) {
    if (what !== knownOf) [known, knownOf] = [new Map(), what];
    return known.get(String(tokens));
  }

  async function fetchWords(what, text, tokens, show) {
    const key = JSON.stringify([what, tokens]);
    if (key === wanted) return;
    wanted = key;
    const answer = await ask(tokens[0], tokens.at(-1));
    if (wanted === key) wanted = '';
    if (answer.text !== text || what !== knownOf) return;
    known.set(String(tokens), answer);
    show();
  }

  /** A mask in the place of the word, for the model to say what it was. */
  function leaveOut() {
    change({ text: told.masked, row: told.row, column: null });
  }

  function show({ state, picture, facts, at }) {
    back.hidden = state.begin === '';
    if (!at) return;
    const tokens = picture.rowTokens[at.row];
    const isWritten = !picture.part.startsWith('encoder');
    root.classList.toggle('empty', !isWritten);
    if (!isWritten) return;
    const [text] = facts.texts;
    const what = JSON.stringify([facts.from, text, facts.asked]);
    const answer = answerFor(what, tokens);
    if (!answer) {
      fetchWords(what, text, tokens, () => show({ state, picture, facts, at }));
      return;
    }
    told = answer;
    write(title, titleOf(answer));
    showWords(answer, tokens[0]);
    mask.hidden = answer.masked === undefined;
    write(mask, mask.hidden ? '' : `Mask “${visibleText(answer.own)}”`);
    const isBack = !isAligned(picture) && facts.causal;
    write(looks, `${isBack ? 'looking back at' : 'looking at'} ${lookedAt(picture, at)}`);
  }

  function showWords(answer, token) {
    const key = JSON.stringify([answer, token]);
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(
      ...answer.words.map((word) => element('li', {}, choiceOf(word, answer, token))),
    );
    if (hadFocus) list.querySelector('button')?.focus();
  }

  function choiceOf({ text, probability, begin, special, isOwn }, { kind, lang, row }, token) {
    const written = special && kind !== 'fits' ? 'the end' : visibleText(text);
    const inside = [
      element('bdi', { lang }, written),
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
      if (kind !== 'written') {
        change({ text: begin, row, column: null });
        return;
      }
      // A sentence that ends here is one of the reader's own.
      if (special) change({ french: begin, begin: '' });
      else change({ french: '', begin, row: token, column: null });
    }
  }

  return { show };
}

const titleOf = ({ kind, before, own }) => {
  if (kind === 'fits') return `Likeliest in the place of “${visibleText(own)}”`;
  return before === '' ? 'Likeliest at the start' : `Likeliest after “${shorten(before)}”`;
};

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
