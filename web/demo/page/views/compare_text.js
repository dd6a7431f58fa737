// The other text of the comparison: its field, what a model writes for it, and the likeliest words at the selected row.
// Words that the reader's text lacks are marked; that text and its words are above the picture.

import { element, visibly } from '../element.js';
import { formatProbability } from '../number_formats.js';

const maxWords = 4;

/** `change` as in actions.js, `nextWords` as in worker_link.js. */
export function createOtherText({ change, nextWords }) {
  const field = element('input', {
    id: 'other-text',
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    dir: 'auto',
    'aria-label': 'Another text',
    input: () => change({ otherText: field.value }),
  });
  const written = element('bdi');
  const likely = element('p', { class: 'likely' });
  const answer = element('div', { class: 'other-answer', hidden: true }, [
    element('p', { class: 'written' }, '→ ', written),
    likely,
  ]);
  field.hidden = true;
  let requested = ''; // key of the latest request for next words

  async function showNext(picture, { row }, { state, facts }) {
    const tokens = picture.beside.rowTokens[row];
    const key = JSON.stringify([tokens, picture.beside.texts, facts.from, state.source]);
    if (key === requested) return;
    requested = key;
    const isWritten = facts.hasNext && !picture.part.startsWith('encoder') && tokens.length > 0;
    const next = isWritten ? await nextWords(tokens[0], tokens.at(-1), true) : {};
    if (key === requested) writeNext(next);
  }

  function writeNext({ kind, before, own, words = [] }) {
    likely.hidden = words.length === 0;
    if (likely.hidden) return;
    const place = kind === 'fits' ? `in the place of “${own}”` : before ? `after “${before}”` : '';
    likely.replaceChildren(
      element('span', { class: 'place' }, `Likeliest ${place || 'at the start'}`),
      ...words.slice(0, maxWords).map(({ text, probability }) => {
        const word = `${visibly(text)} ${formatProbability(probability)}`;
        const bar = element('span', { class: 'bar' }, word);
        bar.style.setProperty('--share', probability);
        return bar;
      }),
    );
  }

  return {
    field,
    answer,

    /** Shows the field, also while the picture is being computed. */
    showField({ beside, otherText }) {
      field.hidden = beside !== 'text';
      if (field.hidden) answer.hidden = true;
      if (field.value !== otherText) field.value = otherText;
    },

    /** Shows what belongs to a picture with another text. */
    show(picture, selection, around) {
      const { what, texts } = picture.beside;
      answer.hidden = what !== 'text';
      if (answer.hidden) return;
      const { texts: own } = around.facts;
      const isTranslated = texts[0] !== texts[1] && around.state.mode === 'cross';
      written.parentElement.hidden = !isTranslated;
      writeMarked(written, texts[0], own[0]);
      showNext(picture, selection, around);
    },
  };
}

/** Writes a text and marks the words that another text lacks. */
function writeMarked(target, text, other) {
  const key = JSON.stringify([text, other]);
  if (target.dataset.key === key) return;
  target.dataset.key = key;
  const [words, known] = [text, other].map((one) => one.split(/(\s+|[.,;:!?]+)/));
  target.replaceChildren(
    ...words.map((word) => (known.includes(word) ? visibly(word) : element('mark', {}, word))),
  );
}
