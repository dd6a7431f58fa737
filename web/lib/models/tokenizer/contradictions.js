// Contradictions between tokenizer_config.json and tokenizer.json, of which the second is valid, as in transformers 5.
import { lastIndex } from '../../arguments/last_index.js';

const contentOf = (token) => token?.content ?? token;

/** The tokens that the template adds before and behind a text; undefined if the text has no tokens. */
function endsOf(tokenizer) {
  const { tokens, spans } = tokenizer.encode('a');
  const isText = ([start, end]) => start < end;
  const first = spans.findIndex(isText);
  if (first < 0) return undefined;
  return { start: tokens.slice(0, first), end: tokens.slice(lastIndex(spans, isText) + 1) };
}

/** Sentences about add_bos_token and add_eos_token. */
function templateContradictions(config, tokenizer) {
  const requested = [
    ['add_bos_token', 'start', contentOf(config.bos_token)],
    ['add_eos_token', 'end', contentOf(config.eos_token)],
  ].filter(([name, , token]) => typeof config[name] === 'boolean' && typeof token === 'string');
  const ends = requested.length > 0 ? endsOf(tokenizer) : undefined;
  if (!ends) return [];
  return requested
    .filter(([name, side, token]) => ends[side].includes(token) !== config[name])
    .map(
      ([name, side, token]) =>
        `${name} of tokenizer_config.json is ${config[name]}, but the template of tokenizer.json has ` +
        `${config[name] ? 'no' : 'a'} token '${token}' at the ${side} of a text: tokenizer.json is valid`,
    );
}

// Fields of tokenizer_config.json, and of BertNormalizer.
const bertFields = [
  ['do_lower_case', 'lowercase'],
  ['strip_accents', 'strip_accents'],
  ['tokenize_chinese_chars', 'handle_chinese_chars'],
];

/** Sentences about the fields of BertNormalizer. */
function normalizerContradictions(config, { normalizer }) {
  if (normalizer?.type !== 'BertNormalizer') return [];
  return bertFields
    .filter(([name]) => typeof config[name] === 'boolean')
    .filter(([name, own]) => normalizer[own] !== undefined && normalizer[own] !== config[name])
    .map(
      ([name, own]) =>
        `${name} of tokenizer_config.json is ${config[name]}, but '${own}' of the normalizer of tokenizer.json is ` +
        `${normalizer[own]}: tokenizer.json is valid`,
    );
}

/** Sentences about what the two files of a TextTokens contradict each other in. */
export const contradictions = (description, config, tokenizer) => [
  ...templateContradictions(config, tokenizer),
  ...normalizerContradictions(config, description),
];
