// Most likely words at the current position. Choosing one continues the translation from it.

import { formatPercent } from '../number_formats.js';

const minProbability = 0.01; // rarer ones are hardly words

/** @import { NextWords as Answer } from '../../types' */

/**
 * `answer`: likeliest words; `token`: first one of the selected row; `begin`: prefix of the translation; `isUsable`:
 * the words can be chosen; `change()`.
 * @param {{ answer: Answer, token: number, begin: string, isUsable?: boolean, change(change: object): void }} shown
 */
export function NextWords({ answer, token, begin, isUsable = true, change }) {
  const { words, masked, row, own } = answer;
  return (
    <>
      <h3 id="next-words-title">
        <span class="unseen">{titleOf(answer)}</span>
        <span aria-hidden="true">{answer.kind === 'fits' ? 'in its place:' : 'next word:'}</span>
      </h3>
      <ol aria-labelledby="next-words-title">
        {offeredOf(words).map((word) => (
          <li key={word.text}>
            <Choice {...{ word, answer, token, isUsable, change }} />
          </li>
        ))}
      </ol>
      {begin !== '' && (
        <button type="button" class="quiet own" onClick={() => change({ begin: '' })}>
          The model’s own
        </button>
      )}
      {masked !== undefined && (
        <button
          type="button"
          class="quiet mask"
          // Replaces the word by the model's mask token, for the model to predict it.
          onClick={() => change({ text: masked, row, column: null })}
        >
          {`Mask “${own}”`}
        </button>
      )}
    </>
  );
}

const isLikely = ({ isOwn, probability, was = 0 }) =>
  isOwn || Math.max(probability, was) >= minProbability;

/** The words that are offered: no rare ones, and no pieces that continue a word, unless there is nothing else. */
export function offeredOf(words) {
  const likely = words.filter(isLikely);
  const whole = likely.filter((word) => word.isOwn || !isPiece(word));
  return whole.length > 0 ? whole : likely;
}

const letterLast = /\p{Script=Latin}$/u;
const letterFirst = /^\p{Script=Latin}/u;

/** What continues the word before it; `begin` ends with the text. */
const isPiece = ({ text, begin, special }) =>
  !special && letterFirst.test(text) && letterLast.test(begin.slice(0, begin.length - text.length));

/** @param {Answer} answer */
const titleOf = ({ kind, before, own }) => {
  if (kind === 'fits') return `Likeliest in the place of “${own}”`;
  return before === '' ? 'Likeliest at the start' : `Likeliest after “${shorten(before)}”`;
};

/** The position of the words, in short: “Next word after “on””. */
export function placeOf({ kind, before, own }) {
  if (kind === 'fits') return `In the place of “${own}”`;
  const last = before.trim().split(/\s+/).at(-1);
  return last ? `Next word after “${last}”` : 'First word';
}

/** The last words of a long beginning. */
function shorten(text) {
  const words = text.split(' ');
  return words.length <= 4 ? text : `… ${words.slice(-3).join(' ')}`;
}

/** @param {{ word: Answer['words'][0], answer: Answer, token: number, isUsable: boolean, change(change: object): void }} shown */
function Choice({ word, answer: { kind, lang, row }, token, isUsable, change }) {
  const { text, probability, begin, special, isOwn, was } = word;
  const written = special && kind !== 'fits' ? 'the end' : text;
  const inside = (
    <>
      <bdi lang={lang}>{written}</bdi> <span>{formatPercent(probability)}</span>
    </>
  );
  const look = {
    class: was === undefined ? undefined : 'changed',
    // The probability before something was blocked is a ghost of the bar.
    style: { '--share': probability, ...(was !== undefined && { '--was': was }) },
  };
  if (isOwn) {
    return (
      <strong aria-current="true" {...look}>
        {inside}
      </strong>
    );
  }
  function choose() {
    if (kind !== 'written') change({ text: begin, row, column: null });
    // A sentence that ends here becomes the reader's own text.
    else if (special) change({ french: begin, begin: '' });
    else change({ french: '', begin, row: token, column: null });
  }
  const title = `Go on from “${begin}”`;
  return (
    <button type="button" title={title} disabled={!isUsable} onClick={choose} {...look}>
      {inside}
    </button>
  );
}
