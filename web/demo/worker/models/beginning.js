// The beginning of a text that the translator can read.

import { cutSentence } from '../sources/cut_text.js';

/** @import { Translator } from 'attention-wasm/translator' */

const poorly = 'longer sentences than those it learned from are translated poorly';

/**
 * The beginning of a text: at most `limit` words and the model's max tokens. { text, cut }: `cut` is a sentence, or '' for
 * a text that is read whole.
 * @param {Translator} translator
 * @param {string} text
 * @param {{ limit?: number, of?: string }} [more] `of`: the name of the text in the sentence
 */
export function beginning(translator, text, { limit = Infinity, of } = {}) {
  const words = text.split(/(?<=\s)(?=\S)/);
  const first = words.slice(0, limit).join('');
  const cutWords =
    words.length > limit ? cutSentence(limit, words.length, poorly, { of, unit: 'words' }) : '';
  let characters = [...first];
  let why = ''; // the model's limit
  for (;;) {
    const truncated = characters.join('');
    const cut = why
      ? cutSentence(truncated.length, text.length, why, { of, unit: 'characters' })
      : cutWords;
    // A token is at least one byte, and a UTF-16 unit at most three: so short a text cannot exceed the model's max
    // tokens.
    if (truncated.length < 160) return { text: truncated, cut };
    try {
      translator.tokenize(truncated);
      return { text: truncated, cut };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      why ||= error.message;
      characters = characters.slice(0, 0.8 * characters.length);
    }
  }
}
