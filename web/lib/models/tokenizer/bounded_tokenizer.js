// A tokenizer whose steps cannot make much of little: a stranger's tokenizer.json may double a text forty times, or put
// it into a template 100,000 times. Characters and tokens are counted after each step. The time of one regular
// expression cannot be bounded.
import { describe } from '../../arguments/describe.js';
import { Tokenizer } from './hugging_face.js';

// Characters and tokens that all steps together may make of n characters: growth · n + leeway. Of published tokenizers
// the longest have about thirty steps; NFKC makes at most 18 characters of one.
const growth = 1000;
const leeway = 2 ** 20;
const limits = {
  steps: 100, // of a normalizer, of a template, …
  groups: 100, // of a pattern: split() gives each group of each match
  affix: 256, // characters that are put before or after a word
  word: 256, // characters of a word of which WordPiece looks up every substring
};

// Encoding and decoding are synchronous: one budget is enough.
let allowed = leeway;
let left = leeway;

function allow(characters) {
  allowed = growth * characters + leeway;
  left = allowed;
}

function spend(count) {
  left -= count;
  if (left >= 0) return;
  throw new RangeError(`its steps make more than ${allowed} characters and tokens of this text`);
}

const lettersOf = (texts) => texts.reduce((sum, text) => sum + text.length, 0);

function requireLimit(name, found, limit) {
  if (found <= limit) return;
  throw new RangeError(`it has ${found} ${name}, but may have ${limit}`);
}

/** How many groups a pattern has: an alternative that matches nothing gives an entry for each. */
const groupsOf = ({ source, flags }) => new RegExp(`${source}|`, flags).exec('').length - 1;

function requireStep({ pattern, config, str_rep: space = '', replacement = '' }) {
  if (pattern) requireLimit('groups in a pattern', groupsOf(pattern), limits.groups);
  for (const text of [space, replacement]) {
    requireLimit('characters for a space', text.length, limits.affix);
  }
  for (const template of [config?.single, config?.pair]) {
    requireLimit('parts of a template', template?.length ?? 0, limits.steps);
  }
  if (config?.type !== 'FixedLength') return;
  if (Number.isInteger(config.length) && config.length > 0) return;
  throw new RangeError(
    `FixedLength must have a length of at least 1, found ${describe(config.length)}`,
  );
}

/** text.replaceAll(), of the content to the letter, as the reference does it: '$&' is no match. */
function replaced(text, pattern, content) {
  return text.replaceAll(pattern, () => {
    spend(content.length);
    return content;
  });
}

const sizeOfWords = (words) => words.length + lettersOf(words);

/** Parts that are steps within steps: where those are, what each does, the size of what it gives, how it replaces. */
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

/** Has each step spend what it makes. */
function boundSteps(made, { inner, method, sizeOf, replace }) {
  let count = 0;
  const visit = (step) => {
    if (!step) return;
    requireLimit('steps of a kind', ++count, limits.steps);
    requireStep(step);
    for (const one of step[inner] ?? []) visit(one);
    const { pattern, config } = step;
    const change = (text) => replaced(text, pattern, config.content ?? '');
    const isReplace = config?.type === 'Replace' && pattern;
    const work = isReplace ? (given) => replace(given, change) : step[method].bind(step);
    const value = (...given) => {
      const result = work(...given);
      spend(sizeOf(result));
      return result;
    };
    Object.defineProperty(step, method, { value });
  };
  visit(made);
}

const affixes = ['continuing_subword_prefix', 'continuing_subword_suffix', 'end_of_word_suffix'];

function boundModel(made) {
  requireLimit('max_input_chars_per_word', made.max_input_chars_per_word ?? 0, limits.word);
  for (const name of affixes) {
    requireLimit(`characters of ${name}`, made.config[name]?.length ?? 0, limits.affix);
  }
  const encode = made.encode.bind(made);
  const value = (words) => {
    const tokens = encode(words);
    spend(tokens.length);
    return tokens;
  };
  Object.defineProperty(made, 'encode', { value });
}

export class BoundedTokenizer extends Tokenizer {
  constructor(description, config) {
    allow(lettersOf(description.added_tokens.map(({ content }) => String(content))));
    super(description, config);
  }

  encode(text, options) {
    allow(text.length + (options.text_pair?.length ?? 0));
    return super.encode(text, options);
  }

  decode(ids, options) {
    allow(lettersOf(ids.map((id) => this.id_to_token(id) ?? '')) + ids.length);
    return super.decode(ids, options);
  }
}

// The constructor normalizes added tokens already: parts are bounded when it sets them.
for (const name of ['model', ...Object.keys(chains)]) {
  Object.defineProperty(BoundedTokenizer.prototype, name, {
    set(made) {
      if (name === 'model') boundModel(made);
      else boundSteps(made, chains[name]);
      Object.defineProperty(this, name, { value: made });
    },
  });
}
