// The Translator class: English to French.
import { describe } from '../arguments/describe.js';
import { boolean, callback, number, oneOf, readOptions, string } from '../arguments/options.js';
import { requireRaw } from '../arguments/raw_object.js';
import { logSumExp } from '../models/run/beam_search.js';
import { searchBeams } from '../models/run/beams.js';
import { decode, editList, encode, readInterventions } from '../models/run/runtime.js';
import { copyNumbersAndNames } from './copy_numbers_and_names.js';
import { isForeign, isSymbols } from './detect_language.js';
import { limits } from './translator_limits.js';
import { cleanEnglish, cleanFrench } from './normalize_text.js';
import { nextWords } from './next_words.js';
import { wordLogProbabilities } from './word_probabilities.js';
import { Sentences, specialTokens, withEnd, withStart } from './sentences.js';
import { decoderVectors, encoderVectors, vectorCaptures } from './attention_vectors.js';

const ends = new Set([specialTokens.end]);
const bannedIds = [specialTokens.pad, specialTokens.start];

function limited(name, unit, list) {
  if (list.length <= limits[unit]) return list;
  throw new RangeError(`${name} has ${list.length} ${unit}; the limit is ${limits[unit]}`);
}

function checkInteger(name, value, min, max) {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${name} is ${value} but must be an integer from ${min} to ${max}`);
}

/** The option maxTokens. French sentences have about as many tokens as English ones, rarely twice as many. */
function readMaxTokens(maxTokens, sourceLength) {
  if (maxTokens === undefined) return Math.min(limits.tokens, Math.ceil(1.5 * sourceLength) + 12);
  return checkInteger('maxTokens', maxTokens, 1, limits.tokens);
}

/** @import { BeamSearch } from '../models/run/beams.js' */

const encodeKinds = { attention: boolean, vectors: boolean, edits: editList };
const nextWordsKinds = { target: string, word: number, count: number, edits: editList };
const searchKinds = {
  ...{ beam: number, target: string, begin: string, maxTokens: number },
  wordLogProbabilities: boolean,
};
const stepsKinds = /* @__PURE__ */ Object.assign({}, encodeKinds, searchKinds);
const readRole = /* @__PURE__ */ oneOf(['source', 'target', 'inputs']);
const translateKinds = /* @__PURE__ */ Object.assign({}, stepsKinds, { onToken: callback });

export class Translator {
  #components;
  #sentences;
  #tensors;
  #model;
  #norm;

  /**
   * @param {object} api the result of loadAttention()
   * @param {object} opened components: the result of assembleModel(); model: that of loadModel() with these components;
   *   tensors: Map of weights by the names of nn.Transformer
   */
  constructor(api, { components, model, tensors }) {
    this.#components = components;
    this.#model = model;
    this.#sentences = new Sentences(components.tokenizer, components.vocabularySize);
    this.#tensors = tensors;
    this.#norm = (x, name) => {
      const [weight, bias] = ['weight', 'bias'].map((end) => tensors.get(`${name}.${end}`));
      return api.layerNorm(x, { weight, bias });
    };
  }

  get heads() {
    requireRaw(#components in this, 'the translator');
    return this.#components.heads;
  }

  get model() {
    requireRaw(#components in this, 'the translator');
    return this.#model;
  }

  /** A copy of the Map, so that callers cannot change it. */
  get tensors() {
    requireRaw(#components in this, 'the translator');
    return new Map(this.#tensors);
  }

  /** The result of encode() or decode(). */
  #finish(compute, ...args) {
    return this.#components.finish(compute(this.#components, ...args));
  }

  #read(where, text, clean = cleanEnglish) {
    if (typeof text !== 'string') {
      throw new TypeError(`the text of ${where}() must be a string, found ${describe(text)}`);
    }
    return this.#encode('text', text, clean);
  }

  /** Ids of a normalized text; checks the number of characters before tokenization, which is slow for long texts. */
  #encode(name, text, clean) {
    const cleaned = clean(limited(name, 'characters', text));
    return limited(name, 'tokens', this.#sentences.encode(cleaned));
  }

  /**
   * The edits of an option for a source of `length` tokens, and what vectors need; stacks: those that are computed.
   *
   * @param {string} where
   * @param {{ edits?: unknown[], vectors?: boolean }} options
   * @param {number} length
   */
  #interventions(where, { edits, vectors }, length, stacks = this.#components.stacks) {
    const capture = vectors ? Object.keys(stacks).flatMap(vectorCaptures) : [];
    const options = { edits, capture };
    const interventions = readInterventions(where, options, { ...this.#components, stacks });
    interventions?.setLengths({ encoder: length, decoder: Infinity });
    return interventions;
  }

  tokenize(text, role = 'source') {
    requireRaw(#components in this, 'the translator');
    if (readRole(role, 'role') === 'source') {
      return this.#sentences.describe(withEnd(this.#read('tokenize', text)), true);
    }
    const ids = this.#read('tokenize', text, cleanFrench);
    return this.#sentences.describe(role === 'target' ? withEnd(ids) : withStart(ids), false);
  }

  encode(text, options) {
    requireRaw(#components in this, 'the translator');
    const read = readOptions('encode', options, encodeKinds);
    const { attention = true, vectors = false } = read;
    const ids = withEnd(this.#read('encode', text));
    const { encoder } = this.#components.stacks;
    const interventions = this.#interventions('encode', read, ids.length, { encoder });
    const requested = { attention, vectors, interventions };
    const encoded = this.#finish(encode, ids, runOptions(requested));
    return {
      source: this.#sentences.describe(ids, true),
      output: encoded.hidden,
      ...(attention && { attention: { encoder: encoded.attentions } }),
      ...(vectors && { vectors: { encoder: encoderVectors(this.#norm, encoded) } }),
    };
  }

  translate(text, options) {
    requireRaw(#components in this, 'the translator');
    const { onToken, ...read } = readOptions('translate', options, translateKinds);
    const reportsSteps = onToken !== undefined;
    const steps = this.#translate(this.#read('translate', text), { ...read, reportsSteps });
    for (;;) {
      const { value, done } = steps.next();
      if (done) return value;
      onToken?.(value);
    }
  }

  steps(text, options) {
    requireRaw(#components in this, 'the translator');
    return this.#translate(this.#read('steps', text), readOptions('steps', options, stepsKinds));
  }

  nextWords(text, options) {
    requireRaw(#components in this, 'the translator');
    const source = this.#read('nextWords', text);
    const read = readOptions('nextWords', options, nextWordsKinds);
    const { target = '', word, count = 5 } = read;
    const sentence = this.#readFrench('target', target);
    const words = (this.#sentences.describe(sentence, false).tokens.at(-1)?.word ?? -1) + 1;
    return nextWords({
      components: this.#components,
      sentences: this.#sentences,
      interventions: this.#interventions('nextWords', read, source.length + 1),
      source,
      sentence,
      word: checkInteger('word', word ?? words, 0, words),
      count: checkInteger('count', count, 1, limits.words),
    });
  }

  #readFrench(name, text) {
    return this.#encode(name, text, cleanFrench);
  }

  /** reportsSteps: whether steps yield sentences. */
  #translate(source, { attention = true, vectors = false, reportsSteps = true, ...how }) {
    const { beam = 4, target, begin, maxTokens, wordLogProbabilities = false, edits } = how;
    checkInteger('beam', beam, 1, limits.beam);
    if (target !== undefined && begin !== undefined) {
      throw new TypeError('target and begin are both set; only one is allowed');
    }
    const targetIds = target === undefined ? undefined : this.#readFrench('target', target);
    const first = begin === undefined ? [] : this.#readFrench('begin', begin);
    const maxLength = readMaxTokens(maxTokens, Math.max(source.length, first.length));
    const interventions = this.#interventions('translate', { edits, vectors }, source.length + 1);
    const requested = { attention, vectors, wordLogProbabilities, interventions };
    const encoded = this.#finish(encode, withEnd(source), runOptions(requested));
    const search = { beam, maxLength, first, reportsSteps, interventions };
    return this.#translateSteps(source, targetIds, encoded, search, requested);
  }

  /** translate() as a generator. */
  *#translateSteps(source, targetIds, encoded, search, requested) {
    if (targetIds) return { ...this.#explain(source, targetIds, encoded, requested), note: null };
    const { first } = search;
    if (first.length > 0) {
      const ids = yield* this.#search(encoded.hidden, search);
      return { ...this.#corrected(source, ids, encoded, requested, first), note: null };
    }
    const untranslated = (note) => ({ ...this.#explain(source, source, encoded, requested), note });
    const english = this.#sentences.decode(source);
    if (isSymbols(english)) return untranslated(source.length === 0 ? null : 'symbols');
    const ids = yield* this.#search(encoded.hidden, search);
    const result = this.#corrected(source, ids, encoded, requested);
    if (result.text === result.source.text) return { ...result, note: 'copied' };
    return isForeign(english, result.text, result.logProbabilities)
      ? untranslated('foreign')
      : { ...result, note: null };
  }

  *#search(memory, { reportsSteps, first, ...how }) {
    const bannedFirstIds = this.#sentences
      .startsWord(first)
      .flatMap((starts, id) => (starts ? [] : id));
    /** @type {BeamSearch} */
    const search = searchBeams(this.#components, {
      ...{ memory, first: [specialTokens.start], ends, bannedIds },
      ...{ ...how, begin: first, bannedFirstIds },
    });
    try {
      for (;;) {
        const { value, done } = search.next();
        if (done) return value.ids;
        yield reportsSteps && this.#sentences.describe(/** @type {number[]} */ (value), false);
      }
    } finally {
      search.return?.(); // frees the caches if the caller stops early
    }
  }

  /** Corrects numbers and names of a translation; computes its weights again if the text changed. */
  #corrected(source, ids, encoded, requested, first = []) {
    const result = this.#explain(source, ids, encoded, { ...requested, attention: true });
    const cross = result.attention.cross.at(-1);
    const text = copyNumbersAndNames(result.source, result.target, cross, result.logProbabilities);
    // A requested beginning must not change.
    if (text?.startsWith(this.#sentences.describe(first, false).text)) {
      return this.#explain(source, this.#sentences.encode(text), encoded, requested);
    }
    const { attention, ...rest } = result;
    return requested.attention ? { ...rest, attention } : rest;
  }

  /** Runs the decoder once over the whole target for its weights and the probabilities of its tokens. */
  #explain(source, ids, encoded, requested) {
    const { attention, vectors } = requested;
    const inputs = withStart(ids);
    const memory = encoded.hidden;
    const decoded = this.#finish(decode, inputs, memory, runOptions(requested));
    const target = this.#sentences.describe(withEnd(ids), false);
    const { finish, head } = this.#components;
    const logits = finish(head.logits(decoded.hidden, {}));
    return {
      text: target.text,
      source: this.#sentences.describe(withEnd(source), true),
      target,
      inputs: this.#sentences.describe(inputs, false),
      logProbabilities: logProbabilitiesOf(logits, withEnd(ids)),
      ...(requested.wordLogProbabilities && {
        wordLogProbabilities: wordLogProbabilities(target.tokens, (n) => ({
          logits: rowOf(logits, n),
          starts: this.#sentences.startsWord(ids.slice(0, n)),
        })),
      }),
      ...(attention && {
        attention: {
          encoder: encoded.attentions,
          decoder: decoded.attentions,
          cross: decoded.cross,
        },
      }),
      ...(vectors && {
        vectors: {
          encoder: encoderVectors(this.#norm, encoded),
          ...decoderVectors(this.#norm, decoded, memory),
        },
      }),
    };
  }

  delete() {
    requireRaw(#components in this, 'the translator');
    if (this.#model) this.#model.delete();
    else this.#components.free();
  }
}

/** Options of Stack.run(). */
const runOptions = ({ attention, vectors, interventions }) => ({
  interventions,
  attentions: () => attention,
  projections: vectors,
});

/** The log probability of each token. */
const logProbabilitiesOf = (logits, ids) =>
  ids.map((id, n) => rowOf(logits, n)[id] - logSumExp(rowOf(logits, n)));

const rowOf = ({ data, dims: [, width] }, n) => data.subarray(n * width, (n + 1) * width);
