// Loading a translator, and what it can be asked.
import { loadAttention } from '../index.js';
import { describe } from '../arguments/describe.js';
import { boolean, callback, number, readOptions, string } from '../arguments/options.js';
import { parseSafetensors } from '../safetensors.js';
import { carriedOver } from './carry_over.js';
import { isForeign, isSymbols } from './language.js';
import { limits } from './limits.js';
import { cleanEnglish, cleanFrench } from './marks.js';
import { Model, withEnd, withStart } from './model.js';
import { nextWords } from './next_words.js';
import { readPackageFile } from './package_files.js';
import { beamSearch, logSumExp } from '../models/beam_search.js';
import { isHtmlBytes } from '../models/sources/file_text.js';
import { Tokens, specialTokens } from './tokens.js';

const ends = new Set([specialTokens.end]);
const never = [specialTokens.pad, specialTokens.start];

function limited(name, unit, list) {
  if (list.length <= limits[unit]) return list;
  throw new RangeError(`${name} has ${list.length} ${unit} but may have ${limits[unit]}`);
}

function whole(name, value, min, max) {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${name} is ${value} but must be a whole number from ${min} to ${max}`);
}

/** Of a translation: a sentence has about as many tokens in French as in English, seldom twice as many. */
function readMaxTokens(maxTokens, sourceLength) {
  if (maxTokens === undefined) return Math.min(limits.tokens, Math.ceil(1.5 * sourceLength) + 12);
  return whole('maxTokens', maxTokens, 1, limits.tokens);
}

const encodeKinds = { attention: boolean, vectors: boolean };
const nextWordsKinds = { target: string, word: number, count: number };
const stepsKinds = {
  ...encodeKinds,
  beam: number,
  target: string,
  begin: string,
  maxTokens: number,
};
const translateKinds = { ...stepsKinds, onToken: callback };

class Translator {
  #tokens;
  #model;

  constructor(api, file, description) {
    this.#tokens = new Tokens(description);
    this.#model = new Model(api, file);
  }

  get heads() {
    return this.#model.heads;
  }

  get tensors() {
    return this.#model.tensors;
  }

  #read(where, text) {
    if (typeof text !== 'string') {
      throw new TypeError(`the text of ${where}() must be a string, found ${describe(text)}`);
    }
    return this.#encode('text', text, cleanEnglish);
  }

  /** The letters are counted first: finding tokens takes time, too. */
  #encode(name, text, clean) {
    const letters = clean(limited(name, 'letters', text));
    return limited(name, 'tokens', this.#tokens.encode(letters));
  }

  encode(text, options) {
    const { attention = true, vectors = false } = readOptions('encode', options, encodeKinds);
    const ids = withEnd(this.#read('encode', text));
    const encoded = this.#model.encode(ids, attention);
    return {
      source: this.#tokens.describe(ids, true),
      output: encoded.output,
      ...(attention && { attention: { encoder: encoded.weights } }),
      ...(vectors && { vectors: { encoder: this.#model.encoderVectors(encoded) } }),
    };
  }

  translate(text, options) {
    const { onToken, ...read } = readOptions('translate', options, translateKinds);
    const isHeard = onToken !== undefined;
    const steps = this.#translate(this.#read('translate', text), { ...read, isHeard });
    for (;;) {
      const { value, done } = steps.next();
      if (done) return value;
      onToken?.(value);
    }
  }

  steps(text, options) {
    return this.#translate(this.#read('steps', text), readOptions('steps', options, stepsKinds));
  }

  nextWords(text, options) {
    const source = this.#read('nextWords', text);
    const { target = '', word, count = 5 } = readOptions('nextWords', options, nextWordsKinds);
    const sentence = this.#readFrench('target', target);
    const words = (this.#tokens.describe(sentence, false).tokens.at(-1)?.word ?? -1) + 1;
    return nextWords({
      model: this.#model,
      tokens: this.#tokens,
      source,
      sentence,
      word: whole('word', word ?? words, 0, words),
      count: whole('count', count, 1, limits.words),
    });
  }

  #readFrench(name, text) {
    return this.#encode(name, text, cleanFrench);
  }

  /** isHeard: whether somebody wants the sentences of the steps. */
  #translate(source, { attention = true, vectors = false, isHeard = true, ...how }) {
    const { beam = 4, target, begin, maxTokens } = how;
    whole('beam', beam, 1, limits.beam);
    if (target !== undefined && begin !== undefined) {
      throw new TypeError(
        'target is a whole sentence, begin how one begins: only one can be given',
      );
    }
    const given = target === undefined ? undefined : this.#readFrench('target', target);
    const first = begin === undefined ? [] : this.#readFrench('begin', begin);
    const longest = readMaxTokens(maxTokens, Math.max(source.length, first.length));
    const encoded = this.#model.encode(withEnd(source), attention);
    const search = { beam, longest, first, isHeard };
    return this.#unfold(source, given, encoded, search, { attention, vectors });
  }

  /** What translate() does, step by step. */
  *#unfold(source, given, encoded, search, wanted) {
    if (given) return { ...this.#explain(source, given, encoded, wanted), note: null };
    const { first } = search;
    if (first.length > 0) {
      const ids = yield* this.#search(encoded.output, search);
      return { ...this.#carriedOver(source, ids, encoded, wanted, first), note: null };
    }
    const asItIs = (note) => ({ ...this.#explain(source, source, encoded, wanted), note });
    const english = this.#tokens.decode(source);
    if (isSymbols(english)) return asItIs(source.length === 0 ? null : 'symbols');
    const ids = yield* this.#search(encoded.output, search);
    const found = this.#carriedOver(source, ids, encoded, wanted);
    if (found.text === found.source.text) return { ...found, note: 'copied' };
    return isForeign(english, found.text, found.logProbabilities)
      ? asItIs('foreign')
      : { ...found, note: null };
  }

  *#search(memory, { beam, longest, first, isHeard }) {
    const branches = this.#model.branches(memory, beam * longest + 1);
    const refused = this.#tokens.startsWord(first).flatMap((starts, id) => (starts ? [] : id));
    try {
      const search = beamSearch((lists, from) => branches.next(lists, from), {
        ...{ beam, longest, begin: first, refused, ends, never },
      });
      for (;;) {
        const { value, done } = search.next();
        if (done) return value.ids;
        yield isHeard && this.#tokens.describe(value, false);
      }
    } finally {
      branches.delete();
    }
  }

  /** What was found, with the numbers and names of the source: again explained if that changed it. */
  #carriedOver(source, ids, encoded, wanted, first = []) {
    const found = this.#explain(source, ids, encoded, { ...wanted, attention: true });
    const cross = found.attention.cross.at(-1);
    const text = carriedOver(found.source, found.target, cross, found.logProbabilities);
    // How the sentence begins was asked for.
    if (text?.startsWith(this.#tokens.describe(first, false).text)) {
      return this.#explain(source, this.#tokens.encode(text), encoded, wanted);
    }
    const { attention, ...rest } = found;
    return wanted.attention ? { ...rest, attention } : rest;
  }

  /** The decoder run once over the whole target, for its weights and the probabilities of its tokens. */
  #explain(source, ids, encoded, { attention, vectors }) {
    const projected = this.#model.project(encoded.output);
    try {
      const inputs = withStart(ids);
      const decoded = this.#model.decode(inputs, projected, attention);
      const target = this.#tokens.describe(withEnd(ids), false);
      const logits = this.#model.logits(decoded.output);
      return {
        text: target.text,
        source: this.#tokens.describe(withEnd(source), true),
        target,
        inputs: this.#tokens.describe(inputs, false),
        logProbabilities: logProbabilitiesOf(logits, withEnd(ids)),
        ...(attention && {
          attention: {
            encoder: encoded.weights,
            decoder: decoded.weights,
            cross: decoded.crossWeights,
          },
        }),
        ...(vectors && {
          vectors: {
            encoder: this.#model.encoderVectors(encoded),
            ...this.#model.decoderVectors(decoded, encoded.output),
          },
        }),
      };
    } finally {
      projected.forEach((cache) => cache.delete());
    }
  }

  delete() {
    this.#model.delete();
  }
}

/** The log of each token's probability. */
function logProbabilitiesOf({ data, dims: [, vocabulary] }, ids) {
  return ids.map((id, n) => {
    const row = data.subarray(n * vocabulary, (n + 1) * vocabulary);
    return row[id] - logSumExp(row);
  });
}

/** read(bytes); servers answer with a page of theirs for a file that they do not have, which is then `wrong`. */
function readUnlessPage(bytes, read, wrong) {
  try {
    return read(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) throw cause; // no bytes at all
    const { buffer = bytes, byteOffset, byteLength } = bytes;
    if (!isHtmlBytes(new Uint8Array(buffer, byteOffset, byteLength))) throw cause;
    throw new RangeError(wrong, { cause });
  }
}

const parseJson = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

async function weightsOf(given, fetchFile) {
  const source = await given;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (source instanceof URL) return fetchFile(source);
  if (typeof source?.arrayBuffer === 'function') return source.arrayBuffer();
  throw new TypeError(`weights must be bytes, a Response or a URL, found ${describe(source)}`);
}

async function tokenizerOf(given, fetchFile) {
  const source = await given;
  if (!(source instanceof URL)) return source;
  const bytes = await fetchFile(source);
  return readUnlessPage(bytes, parseJson, 'the tokenizer is an HTML page, not JSON');
}

/** loadTranslator for an environment that knows how to get a file of the package. */
export function createTranslatorLoader(fetchFile) {
  const readers = {
    weights: async (given) => {
      const bytes = await weightsOf(given, fetchFile);
      return readUnlessPage(bytes, parseSafetensors, 'weights are an HTML page, not safetensors');
    },
    tokenizer: (given) => tokenizerOf(given, fetchFile),
  };
  const file = (name, given) =>
    given === undefined ? readPackageFile(name, readers[name]) : readers[name](given);

  return async function loadTranslator(options) {
    const anything = (value) => value;
    const read = readOptions('loadTranslator', options, {
      weights: anything,
      tokenizer: anything,
      attention: anything,
    });
    const [api, weights, description] = await Promise.all([
      read.attention ?? loadAttention(),
      file('weights', read.weights),
      file('tokenizer', read.tokenizer),
    ]);
    return new Translator(api, weights, description);
  };
}
