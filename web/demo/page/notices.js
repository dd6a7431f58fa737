// The page's sentences about itself: something is missing, something went wrong, how far the work is, and for
// screen readers, the new selection.

import { write } from './element.js';

const find = (selector) => document.querySelector(selector);

/** In the place of a picture; `problem`: something went wrong. */
export function showMessage(says, { problem = false } = {}) {
  const element = find('.message');
  element.hidden = says === '';
  write(element, says);
  element.classList.toggle('problem', problem);
}

/** Why there is no picture of these texts. */
export function whyEmpty(mode, { counts: [rows, columns], why }) {
  if (why) return why;
  if (rows > 0 && columns > 0) return 'There are special tokens only, and those are hidden.';
  if (mode === 'self') return 'Write a text, or choose an example, to see its attention.';
  if (rows === 0 && columns === 0) return 'Write two texts, or choose an example.';
  return rows === 0
    ? 'Write a text that reads: its words become the rows.'
    : 'Write a context to look into: its words become the columns.';
}

export function showNote(facts, { source }, picture) {
  const notes = [];
  if (facts?.isReadyMade) notes.push('The model that makes all other pictures is on its way.');
  if (facts?.cut) notes.push('Long text: only its beginning is shown.');
  const drawn = picture?.columnTokens.flat().length;
  if (drawn < facts?.counts[1]) {
    notes.push(
      'Marks and punctuation are left out, so what is drawn of a row may sum to less than 1.',
    );
  }
  if (facts?.note && source !== 'ngrams') notes.push(facts.note);
  write(find('.note'), notes.join(' '));
}

// Only what takes long is worth a bar: the picture of before stays until the new one is there.
const patience = 150; // ms
let bar = 0;

/** `progress`: { text, fraction? }, null while nothing is known, false when there is nothing to wait for. */
export function showProgress(progress) {
  const element = find('.progress');
  if (progress === false) {
    clearTimeout(bar);
    bar = 0;
    element.hidden = true;
    return;
  }
  if (progress) {
    const { text, fraction } = progress;
    if (fraction === undefined) element.firstElementChild.removeAttribute('value');
    else element.firstElementChild.value = fraction;
    write(element.lastElementChild, text ?? '');
  }
  bar ||= setTimeout(() => {
    element.hidden = false;
  }, patience);
}

// Once the hands are still. Where the focus is in a view, the word or cell that has it speaks for itself, but for the
// table, of which only the whole has it; in a text a word says only which one it is.
let announcing = 0;
export function announce(says) {
  const active = document.activeElement;
  clearTimeout(announcing);
  if (active?.closest('.view:not(.table)')) return;
  announcing = setTimeout(() => write(find('#announcement'), says), 700);
}
