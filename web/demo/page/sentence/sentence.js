// The sentence below a map, in its paragraph.

import { mountComponent } from '../component.jsx';
import { Sentence } from './sentence.jsx';
import { sentenceParts } from './sentence_text.js';

/** Fills `root`, a paragraph. */
export function createSentenceLine(root) {
  const sentence = mountComponent(Sentence, root);
  return {
    /** What the reader waits for. */
    say(text) {
      root.classList.remove('empty');
      sentence.show({ parts: [text] });
    },

    /** `now`: arguments of sentenceParts(), or null for none. */
    show(now) {
      root.classList.toggle('empty', !now);
      if (now) sentence.show({ parts: sentenceParts(now) });
    },
  };
}
