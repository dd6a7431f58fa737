// Text editor with highlighted words: a textarea over a list of words with the same layout. While editing, the
// textarea's characters are transparent as long as the words below match them.

import { hasModifier } from './keys.js';

/** `root` holds a textarea and a listbox of words. */
export function createSheet(root) {
  const field = root.querySelector('textarea');
  const words = root.querySelector('[role="listbox"]');

  let offered = ''; // what the source has written into the empty field
  let isOffered = false; // the field has it, and its reader has changed nothing

  /** An empty field is edited from the text that the source has written. Returns whether it was empty. */
  function takeOffer() {
    if (field.value !== '' || offered === '') return false;
    field.value = offered;
    isOffered = true;
    return true;
  }

  function edit(from = null, to = from) {
    takeOffer();
    field.focus();
    const end = field.value.length;
    field.setSelectionRange(from ?? end, to ?? end);
  }

  /** Start and end of a word in the text. */
  function edgesOf(word) {
    const before = document.createRange();
    before.setStart(words, 0);
    before.setEndBefore(word);
    const start = before.toString().length;
    return [start, start + word.textContent.length];
  }

  const isSame = () => words.textContent === field.value;
  /** True if each character has the same position in both layers; signs for invisible characters shift it. */
  const isAligned = () => isSame() && !words.querySelector('.invisible');

  function editAt(word) {
    takeOffer();
    if (!isSame()) edit();
    else edit(...edgesOf(word));
  }

  words.addEventListener('click', ({ target }) => {
    if (!target.closest('[role="option"]')) edit();
  });
  words.addEventListener('dblclick', ({ target }) => {
    const word = target.closest('[role="option"]');
    if (word) editAt(word);
  });
  words.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || hasModifier(event)) return;
    event.preventDefault();
    const word = words.querySelector('[aria-selected="true"]');
    if (word) editAt(word);
    else edit();
  });
  field.addEventListener('focus', () => {
    const isNew = takeOffer();
    root.classList.add('writing');
    align();
    const word = words.querySelector('[aria-selected="true"]');
    if (isNew && word && isSame()) field.setSelectionRange(...edgesOf(word));
  });
  field.addEventListener('input', () => (isOffered = false));
  // Shows the words again before Tab moves on: hidden elements cannot be focused.
  field.addEventListener('keydown', ({ key, shiftKey }) => {
    if (key === 'Tab' && !shiftKey) root.classList.remove('writing');
  });
  field.addEventListener('blur', () => {
    if (isOffered) field.value = '';
    isOffered = false;
    root.classList.remove('writing');
    align();
  });
  field.addEventListener('scroll', () => {
    words.scrollTop = field.scrollTop;
  });
  for (const one of [field, words]) one.addEventListener('scroll', () => markEnd(one));

  /** At the last line there is nothing to fade out. */
  function markEnd({ scrollTop, scrollHeight, clientHeight }) {
    root.classList.toggle('at-end', scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1);
  }

  let isAwaiting = false; // the words are those of an older text, unless they are the field's

  /** Call after a change of either layer. `awaits`: the words of the field's text are still to come. */
  function align(awaits = isAwaiting) {
    isAwaiting = awaits;
    const isWriting = document.activeElement === field;
    if (isWriting) root.classList.toggle('apart', !isAligned());
    const isBehind = isAwaiting && !isWriting && field.value !== '' && !isSame();
    root.classList.toggle('behind', isBehind);
  }

  return {
    field,
    align,
    /** `text`: what the source has written into the empty field, '' for nothing. */
    offer(text) {
      offered = text;
    },
    /** Shows the text of the state; an offered one is not in it. */
    write(text) {
      if (text === '' && isOffered) return;
      isOffered = false;
      if (field.value !== text) field.value = text;
    },
  };
}
