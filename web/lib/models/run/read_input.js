// Reads the input of run() and generate(): a text, a pair of texts, token ids or an image; and the options of run().
import { abortSignal } from '../../arguments/abort_signal.js';
import { describe } from '../../arguments/describe.js';
import { lastIndex } from '../../arguments/last_index.js';
import { boolean, isList, list, number, readOptions, string } from '../../arguments/options.js';
import { editList } from './runtime.js';

const idLimit = 2 ** 31;

/** Token ids from an array, a typed array or a tensor. */
function readIds(name, value) {
  const list = isList(value) ? value : value?.data;
  if (!isList(list)) {
    throw new TypeError(`${name} must be an array of integers, found ${describe(value)}`);
  }
  const { dims } = value;
  if (
    !isList(value) &&
    dims !== undefined &&
    Array.from(dims)
      .slice(0, -1)
      .some((dim) => Number(dim) !== 1)
  ) {
    throw new RangeError(
      `${name} has dims ${Array.from(dims).join('×')}, expected one text: n or 1×n (run() takes one text at a time)`,
    );
  }
  if (list.length === 0) throw new RangeError(`${name} must have at least one token, found none`);
  return Array.from(list, (id, index) => {
    const number = typeof id === 'bigint' ? Number(id) : id;
    const isId = typeof number === 'number' && Number.isInteger(number) && number >= 0;
    if (isId && number < idLimit) return number;
    const Problem = typeof number === 'number' ? RangeError : TypeError;
    throw new Problem(`${name}[${index}] must be an integer of at least 0, found ${describe(id)}`);
  });
}

// Longer texts are rejected before tokenization, which would take long.
const maxCharactersPerToken = 64;

/** The error for a text where the model has no tokenizer. missing: of readTokenizer(); instead: what to pass. */
const noTokenizer = (missing, instead) =>
  new TypeError(
    `the model has no tokenizer${missing ? ` (${missing})` : ''}: pass ${instead}, ` +
      'or create tokenizer.json: AutoTokenizer.from_pretrained(folder).save_pretrained(folder)',
  );

/**
 * The encoding of a text after a prompt, which has an empty span. promptLength: of its tokens, with special tokens before
 * them, if pooling leaves them out: those of the prompt alone without a special token at the end, as sentence-transformers
 * counts them.
 */
function encodePrompted({ tokenizer, truncateTo, prompt, includesPrompt }, text, second) {
  const encoding = tokenizer.encode(prompt + text, second, truncateTo);
  const within = (position, n) =>
    encoding.parts[n] === 0 ? Math.max(position - prompt.length, 0) : position;
  const spans = encoding.spans.map((span, n) => span.map((position) => within(position, n)));
  if (includesPrompt) return { ...encoding, spans, prompt };
  const { ids } = tokenizer.encode(prompt);
  const last = ids.at(-1);
  const hasEnd = ids.length > 0 && tokenizer.specialIdOf(tokenizer.tokenOf(last)) === last;
  // A text that is cut inside the prompt has its last token only.
  const promptLength = Math.min(ids.length - Number(hasEnd), encoding.ids.length - 1);
  return { ...encoding, spans, prompt, promptLength };
}

function readText(options, text, second) {
  const { tokenizer, missingTokenizer, maxTokens, truncateTo, prompt = '' } = options;
  if (!tokenizer) throw noTokenizer(missingTokenizer, '{ ids } instead of a text');
  const characters = prompt.length + text.length + (second?.length ?? 0);
  if (truncateTo === undefined && characters > maxCharactersPerToken * maxTokens) {
    throw new RangeError(
      `the text has ${characters} characters; the limit is ${maxTokens} tokens (at most ${maxCharactersPerToken * maxTokens} characters)`,
    );
  }
  const encoding =
    prompt === ''
      ? tokenizer.encode(text, second, truncateTo)
      : encodePrompted(options, text, second);
  if (encoding.ids.length > 0) return encoding;
  throw new RangeError('the text has no tokens');
}

function readIdsInput(input, tokenizer) {
  const accepted = ['ids', 'typeIds', 'decoderIds'];
  const unexpected = Object.keys(input).find((name) => !accepted.includes(name));
  if (unexpected !== undefined) {
    throw new TypeError(
      `unexpected key '${unexpected}' in an input of ids; expected ${accepted.join(', ')}`,
    );
  }
  const ids = readIds('ids', input.ids);
  const optional = (name) => {
    const value = input[name] ?? undefined;
    return value === undefined ? undefined : readIds(name, value);
  };
  const typeIds = optional('typeIds');
  if (typeIds && typeIds.length !== ids.length) {
    throw new RangeError(`typeIds has ${typeIds.length} entries but ids has ${ids.length}`);
  }
  return {
    ...{ ids, typeIds, hasOwnTypes: typeIds !== undefined, decoderIds: optional('decoderIds') },
    ...(tokenizer && { tokens: ids.map((id) => tokenizer.tokenOf(id)) }),
  };
}

/**
 * { ids, typeIds?, hasOwnTypes?, decoderIds?, tokens?, spans?, parts?, prompt? } or { pixels }. hasOwnTypes: the caller gave typeIds,
 * which the model must have; those of a tokenizer are left out where it has no such types. maxTokens: limit; truncateTo: number
 * of tokens to which texts are cut.
 */
export function readInput(input, { isImage, ...text }) {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  if (isImage) {
    const pixels = isObject ? input.pixels : undefined;
    if (pixels !== undefined && pixels !== null) return { pixels };
    throw new TypeError(`the input of an image model must be { pixels }, found ${describe(input)}`);
  }
  if (typeof input === 'string') return readText(text, input);
  const isPair = Array.isArray(input) && input.length === 2;
  if (isPair && input.every((text) => typeof text === 'string')) {
    return readText(text, ...input);
  }
  if (isObject && Object.hasOwn(input, 'ids')) return readIdsInput(input, text.tokenizer);
  throw new TypeError(
    `the input must be a text, [text, text] or { ids }, found ${describe(input)}`,
  );
}

/** The option attentions: true, 'average' or layer indices. */
export function readLayerSelection(value) {
  if (typeof value === 'boolean' || value === 'average') return value;
  if (isList(value)) {
    return Array.from(value, (layer, index) => {
      if (typeof layer === 'number' && Number.isInteger(layer) && layer >= 0) return layer;
      throw new RangeError(`attentions[${index}] must be a layer index, found ${describe(layer)}`);
    });
  }
  throw new TypeError(
    `attentions must be true, 'average' or an array of layers, found ${describe(value)}`,
  );
}

/** A function from a layer index to its requested weights: true, 'average' or false. */
export function perLayer(attentions = false, count) {
  if (!Array.isArray(attentions)) return () => attentions;
  const outside = attentions.find((layer) => layer >= count);
  if (outside !== undefined) {
    throw new RangeError(
      `attentions has layer ${outside}, but the model has layers 0 to ${count - 1}`,
    );
  }
  return (n) => attentions.includes(n);
}

/** Checks that an optional value is an integer in a range. */
export function checkInteger(name, value, min, max = Infinity) {
  if (value === undefined) return value;
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new RangeError(`${name} must be an integer ${range}, found ${value}`);
}

/** The decoder's input ids: those of the caller, or the start id and the tokens of the option decoder. */
export function decoderIdsOf(components, input, begin) {
  const { tokenizer, specialIds, head, type, shiftsLast } = components;
  if (input.decoderIds) {
    if (begin === undefined) return input.decoderIds;
    throw new TypeError('decoderIds and decoder are both set; only one is allowed');
  }
  // Heads that classify a text or its tokens (BART): the decoder's input is the text shifted right by one.
  const isShifted = head !== undefined && !head.isLanguageModel && begin === undefined;
  if (isShifted && shiftsLast) {
    const at = lastIndex(input.ids, (id) => id !== specialIds.padding);
    const last = input.ids[Math.max(0, at)];
    return [last, ...input.ids.slice(0, -1)];
  }
  if (specialIds.decoder === undefined) {
    throw new RangeError(
      `config.json of this ${type} has no 'decoder_start_token_id': pass { ids, decoderIds }`,
    );
  }
  if (isShifted) return [specialIds.decoder, ...input.ids.slice(0, -1)];
  if (begin === undefined) return [specialIds.decoder];
  if (!tokenizer) throw noTokenizer(components.missingTokenizer, 'decoderIds instead of decoder');
  return [specialIds.decoder, ...tokenizer.encodePlain(begin)];
}

const booleanOrList = (value, name) => (typeof value === 'boolean' ? value : list(value, name));

/** The text of a prompt by its name; by default that of the model, '' if there is none or for false. */
export function promptOf(name, pooling) {
  const { prompts = new Map(), defaultPrompt } = pooling ?? {};
  if (name === false) return '';
  if (name === undefined) return prompts.get(defaultPrompt) ?? '';
  if (prompts.has(name)) return prompts.get(name);
  const names = [...prompts.keys()].map((one) => describe(one)).join(', ');
  throw new RangeError(
    prompts.size > 0
      ? `prompt must be ${names} or false, found ${describe(name)}`
      : `prompt is ${describe(name)}, but the model has no prompts: they are those of config_sentence_transformers.json in a sentence encoder`,
  );
}

/** Options of run() that change its tokens. */
const textKinds = {
  prompt: (value, name) => (value === false ? value : string(value, name)),
  maxInput: number,
  truncate: boolean,
};

const kinds = {
  ...textKinds,
  attentions: readLayerSelection,
  hiddenStates: boolean,
  projections: boolean,
  logits: boolean,
  headOutputs: booleanOrList,
  attentionTerms: booleanOrList,
  attribution: boolean,
  decoder: string,
  edits: editList,
  capture: editList,
};

/**
 * The options of encode().
 *
 * @param {unknown} options
 */
export function readEncodeOptions(options) {
  const values = readOptions('encode', options, textKinds);
  checkInteger('maxInput', values.maxInput, 1);
  return values;
}

/**
 * workers: their number if the model is on a pool, where a call can be aborted.
 *
 * @param {unknown} options
 * @param {number | undefined} workers
 */
export function readRunOptions(options, workers) {
  const values = readOptions('run', options, {
    ...kinds,
    ...(workers && { signal: abortSignal }),
  });
  checkInteger('maxInput', values.maxInput, 1);
  return values;
}
