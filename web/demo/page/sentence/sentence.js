// The sentence below the map, drawn by hand: it changes with each key and each move of the pointer.

import { element } from '../element.js';
import { sentenceClasses, sentenceParts } from './sentence_text.js';

/** Fills `root`, a paragraph. */
export function createSentenceLine(root) {
  let shown = '';
  return {
    /** What the reader waits for. */
    say(text) {
      root.classList.remove('empty');
      root.textContent = text;
      shown = '';
    },

    /** `now`: arguments of sentenceParts(), or null for none. */
    show(now) {
      root.classList.toggle('empty', !now);
      if (!now) return;
      const parts = sentenceParts(now);
      const key = JSON.stringify(parts);
      if (key === shown) return;
      shown = key;
      root.replaceChildren(
        ...parts.map((part) => {
          if (typeof part === 'string') return part;
          const { is, text } = part;
          return is === 'share'
            ? element('strong', {}, text)
            : element('bdi', { class: sentenceClasses[is] }, text);
        }),
      );
    },
  };
}
