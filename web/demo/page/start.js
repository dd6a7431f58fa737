// First script of the page, before the first paint: prepares the picture that index.html contains, or removes it if the
// address asks for another one; then loads main.js and what it imports, whose bytes would delay the style sheet.

import { fitWords } from './texts/text_size.js';

const { modules = '' } = /** @type {HTMLElement} */ (document.currentScript).dataset;
const root = /** @type {HTMLElement} */ (document.querySelector('.sentences'));
const lines = [...root.querySelectorAll('.sentence')];

// A state without a fragment may have long texts in history.state.
if (location.hash === '' && Object.keys(history.state?.longTexts ?? {}).length === 0) {
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  /** @type {NodeListOf<HTMLElement>} */
  const words = root.querySelectorAll('[data-light]');
  for (const word of words) {
    [word.style.backgroundColor, word.style.color] = (word.dataset[theme] ?? '').split(';');
  }
  /** @type {NodeListOf<HTMLElement>} */
  const styled = document.querySelectorAll('[data-style]');
  for (const one of styled) one.style.cssText = one.dataset.style ?? '';
  root.classList.add('numbered');
  fitWords(root, lines);
} else {
  const sentence = /** @type {HTMLElement} */ (document.querySelector('.looking'));
  const below = document.querySelectorAll('.block-it, .next-words, .note');
  for (const one of [...lines, sentence, ...below]) one.replaceChildren();
  sentence.classList.add('empty');
  root.classList.remove('named');
}

for (const file of modules.split(' ')) import(file);
