// Loading a translator, and what it can be asked.
import { loadAttention } from '../index.js';
import { describe } from '../arguments/describe.js';
import { boolean, callback, number, readOptions, string } from '../arguments/options.js';
import { parseSafetensors } from '../safetensors.js';
import { beamSearch } from './beam_search.js';
import { carriedOver } from './carry_over.js';
import { isForeign, isSymbols } from './language.js';
import { cleanEnglish, cleanFrench } from './marks.js';
import { Model, withEnd, withStart } from './model.js';
import { tokenizerUrl, weightsUrl } from './package_files.js';
import { Tokens } from './tokens.js';

const limits = { beam: 32, tokens: 512 };

function readBeam(beam) {
  if (Number.isInteger(beam) && beam >= 1 && beam <= limits.beam) return beam;
  throw new RangeError(`beam is ${beam} but must be a whole number from 1 to ${limits.beam}`);
}

/** Of a translation: a sentence has about as many tokens in French as in English, seldom twice as many. */
function readMaxTokens(maxTokens, sourceLength) {
  if (maxTokens === undefined) return Math.min(limits.tokens, Math.ceil(1.5 * sourceLength) + 12);
  if (Number.isInteger(maxTokens) && maxTokens >= 1 && maxTokens <= limits.tokens) return maxTokens;
  throw new RangeError(
    `maxTokens is ${maxTokens} but must be a whole number from 1 to ${limits.tokens}`,
  );
}

const encodeKinds = { attention: boolean, vectors: boolean };
const translateKinds = {
  ...encodeKinds,
  beam: number,
  target: string,
  maxTokens: number,
  onToken: callback,
};

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

  #read(where, text) {
    if (typeof text !== 'string') {
      throw new TypeError(`the text of ${where}() must be a string, found ${describe(text)}`);
    }
    return this.#limited('text', this.#tokens.encode(cleanEnglish(text)));
  }

  #limited(name, ids) {
    if (ids.length <= limits.tokens) return ids;
    throw new RangeError(`${name} has ${ids.length} tokens but may have ${limits.tokens}`);
  }

  encode(text, options) {
    const { attention = true, vectors = false } = readOptions('encode', options, encodeKinds);
    const ids = withEnd(this.#read('encode', text));
    const encoded = this.#model.encode(ids, attention);
    return {
      source: this.#tokens.describe(ids, true),
      output: encoded.memory,
      ...(attention && { attention: { encoder: encoded.weights } }),
      ...(vectors && { vectors: { encoder: this.#model.encoderVectors(encoded) } }),
    };
  }

  translate(text, options) {
    const { onToken, ...read } = readOptions('translate', options, translateKinds);
    const steps = this.#translate(this.#read('translate', text), read);
    for (;;) {
      const { value, done } = steps.next();
      if (done) return value;
      onToken?.(value);
    }
  }

  steps(text, options) {
    const { onToken: _, ...kinds } = translateKinds;
    const read = readOptions('steps', options, kinds);
    return this.#translate(this.#read('steps', text), read);
  }

  #translate(source, { attention = true, vectors = false, beam = 4, target, maxTokens }) {
    readBeam(beam);
    const longest = readMaxTokens(maxTokens, source.length);
    const given =
      target === undefined
        ? undefined
        : this.#limited('target', this.#tokens.encode(cleanFrench(target)));
    const encoded = this.#model.encode(withEnd(source), attention);
    return this.#unfold(source, given, encoded, { attention, vectors, beam, longest });
  }

  /** What translate() does, step by step. */
  *#unfold(source, given, encoded, { beam, longest, ...wanted }) {
    if (given) return { ...this.#explain(source, given, encoded, wanted), note: null };
    const asItIs = (note) => ({ ...this.#explain(source, source, encoded, wanted), note });
    const english = this.#tokens.decode(source);
    if (isSymbols(english)) return asItIs(source.length === 0 ? null : 'symbols');
    const ids = yield* this.#search(encoded.memory, { beam, longest });
    const found = this.#carriedOver(source, ids, encoded, wanted);
    if (found.text === found.source.text) return { ...found, note: 'copied' };
    return isForeign(english, found.text, found.logProbabilities)
      ? asItIs('foreign')
      : { ...found, note: null };
  }

  *#search(memory, { beam, longest }) {
    const branches = this.#model.branches(memory, beam * longest + 1);
    try {
      const search = beamSearch((lists, from) => branches.next(lists, from), { beam, longest });
      for (;;) {
        const { value, done } = search.next();
        if (done) return value.ids;
        yield this.#tokens.describe(value, false);
      }
    } finally {
      branches.delete();
    }
  }

  /** What was found, with the numbers and names of the source: again explained if that changed it. */
  #carriedOver(source, ids, encoded, wanted) {
    const found = this.#explain(source, ids, encoded, { ...wanted, attention: true });
    const cross = found.attention.cross.at(-1);
    const text = carriedOver(found.source, found.target, cross, found.logProbabilities);
    if (text !== null) return this.#explain(source, this.#tokens.encode(text), encoded, wanted);
    const { attention, ...rest } = found;
    return wanted.attention ? { ...rest, attention } : rest;
  }

  /** The decoder run once over the whole target, for its weights and the probabilities of its tokens. */
  #explain(source, ids, encoded, { attention, vectors }) {
    const projected = this.#model.project(encoded.memory);
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
            ...this.#model.decoderVectors(decoded, encoded.memory),
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
    const max = row.reduce((a, b) => Math.max(a, b));
    const sum = row.reduce((total, x) => total + Math.exp(x - max), 0);
    return row[id] - max - Math.log(sum);
  });
}

const bytesOf = async (given, fetchFile) => {
  const source = await given;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (source instanceof URL) return fetchFile(source);
  if (typeof source?.arrayBuffer === 'function') return source.arrayBuffer();
  throw new TypeError(`weights must be bytes, a Response or a URL, found ${describe(source)}`);
};

async function tokenizerOf(given, fetchFile) {
  const source = await given;
  if (!(source instanceof URL)) return source;
  return JSON.parse(new TextDecoder().decode(await fetchFile(source)));
}

/** loadTranslator for an environment that knows how to get a file of the package. */
export function createTranslatorLoader(fetchFile) {
  return async function loadTranslator(options) {
    const anything = (value) => value;
    const read = readOptions('loadTranslator', options, {
      weights: anything,
      tokenizer: anything,
      attention: anything,
    });
    const [api, weights, description] = await Promise.all([
      read.attention ?? loadAttention(),
      bytesOf(read.weights ?? weightsUrl, fetchFile),
      tokenizerOf(read.tokenizer ?? tokenizerUrl, fetchFile),
    ]);
    return new Translator(api, parseSafetensors(weights), description);
  };
}
