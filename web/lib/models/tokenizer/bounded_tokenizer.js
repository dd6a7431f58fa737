// A tokenizer with limited output per step. An untrusted tokenizer.json could double a text forty times, or repeat it in a
// template 100,000 times, so characters and tokens are counted after each step. The time of a regular expression cannot
// be limited.
import { describe } from '../../arguments/describe.js';
import { Tokenizer } from './hugging_face.js';

// Limit of characters and tokens that all steps produce from n characters: growth · n + leeway. Published tokenizers have
// at most about thirty steps, and NFKC produces at most 18 characters from one.
const growth = 1000;
const leeway = 2 ** 20;
const limits = {
  steps: 100, // in a normalizer, in a template, …
  groups: 100, // in a pattern: split() returns every group of every match
  affix: 256, // characters before or after a word
  word: 256, // characters of a word; WordPiece looks up every substring
};

// Encoding and decoding are synchronous, so one global budget suffices.
let allowed = leeway;
let left = leeway;

function allow(characters) {
  allowed = growth * characters + leeway;
  left = allowed;
}

function spend(count) {
  left -= count;
  if (left >= 0) return;
  throw new RangeError(
    `its steps produce more than ${allowed} characters and tokens from this text`,
  );
}

const totalLength = (texts) => texts.reduce((sum, text) => sum + text.length, 0);

function requireLimit(name, count, limit) {
  if (count <= limit) return;
  throw new RangeError(`it has ${count} ${name}; the limit is ${limit}`);
}

/** The number of groups of a pattern: matching an empty alternative returns an entry per group. */
const groupsOf = ({ source, flags }) => new RegExp(`${source}|`, flags).exec('').length - 1;

function requireStep({ pattern, config, str_rep: space = '', replacement = '' }) {
  if (pattern) requireLimit('groups in a pattern', groupsOf(pattern), limits.groups);
  for (const text of [space, replacement]) {
    requireLimit('characters for a space', text.length, limits.affix);
  }
  for (const template of [config?.single, config?.pair]) {
    requireLimit('steps of a template', template?.length ?? 0, limits.steps);
  }
  if (config?.type !== 'FixedLength') return;
  if (Number.isInteger(config.length) && config.length > 0) return;
  throw new RangeError(
    `FixedLength must have a length of at least 1, found ${describe(config.length)}`,
  );
}

/** text.replaceAll() with the content taken literally, as in the reference: '$&' has no special meaning. */
function replaced(text, pattern, content) {
  return text.replaceAll(pattern, () => {
    spend(content.length);
    return content;
  });
}

const sizeOfWords = (words) => words.length + totalLength(words);

/** Components with nested steps: the property of the nested steps, the method of a step, the size of its result, and
 * how it applies a replacement. */
const chains = {
  normalizer: {
    ...{ inner: 'normalizers', method: 'normalize' },
    sizeOf: (text) => text.length,
    replace: (text, change) => change(text),
  },
  pre_tokenizer: {
    ...{ inner: 'tokenizers', method: 'pre_tokenize_text' },
    sizeOf: sizeOfWords,
    replace: (text, change) => [change(text)],
  },
  post_processor: {
    ...{ inner: 'processors', method: 'post_process' },
    sizeOf: ({ tokens }) => tokens.length,
  },
  decoder: {
    ...{ inner: 'decoders', method: 'decode_chain' },
    sizeOf: sizeOfWords,
    replace: (tokens, change) => tokens.map(change),
  },
};

/** Makes each step count the size of its result. */
function limitSteps(component, { inner, method, sizeOf, replace }) {
  let count = 0;
  const visit = (step) => {
    if (!step) return;
    requireLimit('steps of a kind', ++count, limits.steps);
    requireStep(step);
    for (const one of step[inner] ?? []) visit(one);
    const { pattern, config } = step;
    const change = (text) => replaced(text, pattern, config.content ?? '');
    const isReplace = config?.type === 'Replace' && pattern;
    const work = isReplace ? (input) => replace(input, change) : step[method].bind(step);
    const value = (...args) => {
      const result = work(...args);
      spend(sizeOf(result));
      return result;
    };
    Object.defineProperty(step, method, { value });
  };
  visit(component);
}

const affixes = ['continuing_subword_prefix', 'continuing_subword_suffix', 'end_of_word_suffix'];

function limitModel(model) {
  requireLimit('max_input_chars_per_word', model.max_input_chars_per_word ?? 0, limits.word);
  for (const name of affixes) {
    requireLimit(`characters of ${name}`, model.config[name]?.length ?? 0, limits.affix);
  }
  const encode = model.encode.bind(model);
  const value = (words) => {
    const tokens = encode(words);
    spend(tokens.length);
    return tokens;
  };
  Object.defineProperty(model, 'encode', { value });
}

export class BoundedTokenizer extends Tokenizer {
  constructor(description, config) {
    allow(totalLength(description.added_tokens.map(({ content }) => String(content))));
    super(description, config);
  }

  encode(text, options) {
    allow(text.length + (options.text_pair?.length ?? 0));
    return super.encode(text, options);
  }

  decode(ids, options) {
    allow(totalLength(ids.map((id) => this.id_to_token(id) ?? '')) + ids.length);
    return super.decode(ids, options);
  }
}

// The constructor of Tokenizer already normalizes added tokens, so components are limited as soon as it sets them.
for (const name of ['model', ...Object.keys(chains)]) {
  Object.defineProperty(BoundedTokenizer.prototype, name, {
    set(component) {
      if (name === 'model') limitModel(component);
      else limitSteps(component, chains[name]);
      Object.defineProperty(this, name, { value: component });
    },
  });
}
