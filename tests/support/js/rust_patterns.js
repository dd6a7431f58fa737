// Splits texts at the matches of a pattern, with the Rust library, and with a RegExp.
import { Tokenizer } from './rust_tokenizers.js';
import { unitsOfCharacters } from './text_units.js';

const description = (pattern, options) => ({
  ...{ version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null },
  pre_tokenizer: {
    type: 'Split',
    pattern: { Regex: pattern },
    behavior: 'Isolated',
    invert: false,
    ...options,
  },
  ...{ post_processor: null, decoder: null },
  model: { type: 'WordLevel', vocab: { unknown: 0 }, unk_token: 'unknown' },
});

/** A function from a text to [start, end] of its pieces in UTF-16 units; undefined where the pattern is refused. */
export function splitByRust(pattern, options) {
  let tokenizer;
  try {
    tokenizer = Tokenizer.fromString(JSON.stringify(description(pattern, options)));
  } catch {
    return undefined;
  }
  return async (text) => {
    const units = unitsOfCharacters(text);
    const encoding = await tokenizer.encode(text, null, { addSpecialTokens: false });
    return encoding.getOffsets().map((span) => span.map((at) => units[at]));
  };
}
