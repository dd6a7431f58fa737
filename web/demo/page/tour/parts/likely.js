// Likeliest words in the place of one, with their probabilities as numbers and bars.

import { visibleText } from 'attention-wasm/heatmap';
import { element, write } from '../../element.js';
import { formatProbability } from '../../number_formats.js';

const count = 4; // shown words

export function createLikely() {
  const title = element('p', { class: 'more' });
  const list = element('ol', { class: 'likely' });
  return {
    element: element('div', {}, title, list),
    /** `words`: NextWords['words'], undefined if they are on their way; `own`: the word in whose place they are. */
    show(words, own) {
      write(title, `likeliest in the place of “${own}”`);
      const key = JSON.stringify(words ?? null);
      if (list.dataset.key === key) return;
      list.dataset.key = key;
      list.setAttribute('aria-busy', String(!words));
      list.replaceChildren(...(words ?? []).slice(0, count).map(itemOf));
    },
  };
}

function itemOf({ text, special, probability }) {
  const item = element(
    'li',
    {},
    element('bdi', { lang: 'fr' }, special ? 'the end' : visibleText(text)),
    ' ',
    element('span', {}, formatProbability(probability)),
  );
  item.style.setProperty('--share', probability);
  return item;
}
