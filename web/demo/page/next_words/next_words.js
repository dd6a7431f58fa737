// Most likely words at the current position, and the words that the model attends to there. Choosing one continues the
// translation from it.

import { visibleText } from 'attention-wasm/heatmap';
import { stageRow } from '../../positions.js';
import { element, write } from '../element.js';
import { formatProbability } from '../number_formats.js';
import { isOnlyDrawn } from '../../state/settings.js';
import './next_words.css';

const minWeight = 0.05; // of an attended word in the line
const minProbability = 0.001; // rarer ones are hardly words

/** `ask(first, last)` resolves to NextWords (types.d.ts) of the tokens of one row; `change` as in actions.js. */
export function createNextWords(root, { change, ask }) {
  const title = element('h3', { id: 'next-words-title' });
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
  let pendingKey = '';
  let known = new Map(); // tokens of a row → NextWords, for one text and model
  let knownOf = '';
  let displayed = null; // NextWords

  /** Undefined until the answer has come. */
  function answerFor(what, tokens) {
    if (what !== knownOf) [known, knownOf] = [new Map(), what];
    return known.get(String(tokens));
  }

  async function fetchWords(what, text, tokens, show) {
    const key = JSON.stringify([what, tokens]);
    if (key === pendingKey) return;
    pendingKey = key;
    const answer = await ask(tokens[0], tokens.at(-1));
    if (pendingKey === key) pendingKey = '';
    if (answer.text !== text || what !== knownOf) return;
    known.set(String(tokens), answer);
    show();
  }

  /** Replaces the word by the model's mask token, for the model to predict it. */
  function leaveOut() {
    change({ text: displayed.masked, row: displayed.row, column: null });
  }

  function show({ state, picture, facts, at }) {
    back.hidden = state.begin === '';
    if (!at) return;
    const tokens = picture.rowTokens[at.row];
    const isWritten = !picture.part.startsWith('encoder');
    root.classList.toggle('empty', !isWritten);
    if (!isWritten) return;
    const [text] = facts.texts;
    const what = JSON.stringify([facts.from, text, facts.requestedTexts, state.block]);
    const answer = answerFor(what, tokens);
    if (!answer) {
      fetchWords(what, text, tokens, () => show({ state, picture, facts, at }));
      return;
    }
    displayed = answer;
    write(title, titleOf(answer));
    showWords(answer, tokens[0]);
    mask.hidden = answer.masked === undefined;
    write(mask, mask.hidden ? '' : `Mask “${visibleText(answer.own)}”`);
    const isBack = !isAligned(picture) && facts.causal;
    const how = isOnlyDrawn(state, facts) ? 'in the picture only, ' : '';
    write(looks, `${how}looking ${isBack ? 'back at' : 'at'} ${lookedAt(picture, at)}`);
  }

  function showWords(answer, token) {
    const key = JSON.stringify([answer, token]);
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(
      ...answer.words
        .filter(isOffered)
        .map((word) => element('li', {}, choiceOf(word, answer, token))),
    );
    if (hadFocus) list.querySelector('button')?.focus();
  }

  function choiceOf(word, { kind, lang, row }, token) {
    const { text, probability, begin, special, isOwn, was } = word;
    const written = special && kind !== 'fits' ? 'the end' : visibleText(text);
    const inside = [
      element('bdi', { lang }, written),
      ' ',
      element('span', {}, formatProbability(probability)),
      was !== undefined && element('small', {}, ` before ${formatProbability(was)}`),
    ].filter(Boolean);
    const made = isOwn
      ? element('strong', { 'aria-current': 'true' }, inside)
      : element(
          'button',
          { type: 'button', title: `Go on from “${begin}”`, click: choose },
          inside,
        );
    made.style.setProperty('--share', probability);
    // The probability before something was blocked, as a ghost of the bar.
    if (was !== undefined) made.style.setProperty('--was', was);
    made.classList.toggle('changed', was !== undefined);
    return made;

    function choose() {
      if (kind !== 'written') {
        change({ text: begin, row, column: null });
        return;
      }
      // A sentence that ends here becomes the reader's own text.
      if (special) change({ french: begin, begin: '' });
      else change({ french: '', begin, row: token, column: null });
    }
  }

  return { show };
}

const isOffered = ({ isOwn, probability, was = 0 }) =>
  isOwn || Math.max(probability, was) >= minProbability;

const titleOf = ({ kind, before, own }) => {
  if (kind === 'fits') return `Likeliest in the place of “${visibleText(own)}”`;
  return before === '' ? 'Likeliest at the start' : `Likeliest after “${shorten(before)}”`;
};

const isAligned = ({ part }) => part.startsWith('cross');

/** The last words of a long beginning. */
function shorten(text) {
  const words = text.split(' ');
  return words.length <= 4 ? text : `… ${words.slice(-3).join(' ')}`;
}

function lookedAt(picture, { row, head }) {
  const weights = stageRow(picture, 'weights', head, row);
  return Array.from(picture.columns, ({ text }, column) => ({ text, weight: weights[column] }))
    .filter(({ weight }) => weight >= minWeight)
    .sort((a, b) => b.weight - a.weight)
    .map(({ text, weight }) => `${visibleText(text)} ${weight.toFixed(2)}`)
    .join(', ');
}
