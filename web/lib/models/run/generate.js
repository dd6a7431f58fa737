// Text generation, token by token. Each layer caches keys and values; an encoder's output is projected once.
/** @import { BeamSearch } from './beams.js' */
import { describe } from '../../arguments/describe.js';
import { abortSignal } from '../../arguments/abort_signal.js';
import { boolean, isList, number, readOptions, string } from '../../arguments/options.js';
import { loadFile } from '../../module/load_file.js';
import { pickToken, requireLogits } from './pick_token.js';
import { randomNumbers } from './random_numbers.js';
import { decoderIdsOf, readLayerSelection, perLayer, checkInteger } from './read_input.js';
import { Decoding, editList, encode, readInterventions, requireRoom } from './runtime.js';
import { taskYielder } from './task_yielder.js';

const defaultMaxTokens = 128;
const maxBeam = 64;

/** Texts and token ids that end generation. */
function readStops(value, name) {
  const list = isList(value) ? Array.from(value) : [value];
  return list.map((stop) => {
    const isId = Number.isInteger(stop) && stop >= 0;
    if (isId || (typeof stop === 'string' && stop !== '')) return stop;
    throw new TypeError(`${name} must be texts or token ids, found ${describe(stop)}`);
  });
}

const kinds = {
  maxTokens: number,
  stop: readStops,
  temperature: number,
  topK: number,
  seed: number,
  attentions: readLayerSelection,
  logits: boolean,
  decoder: string,
  beam: number,
  maxInput: number,
  truncate: boolean,
  signal: abortSignal,
  edits: editList,
  capture: editList,
};

/** The option truncate, which a decoder refuses. */
function readTruncate(truncate = false, { stacks, type }) {
  if (!truncate || stacks.encoder) return truncate;
  throw new TypeError(
    `the option truncate of generate() needs an encoder–decoder, but this is a ${type} model: it continues the end of its text`,
  );
}

export function readGenerateOptions(options, components) {
  const { layers, specialIds, tokenizer } = components;
  const values = readOptions('generate', options, kinds);
  const { maxTokens = defaultMaxTokens, stop = [], topK, seed } = values;
  const isRandom = topK !== undefined || seed !== undefined;
  const { temperature = isRandom ? 1 : 0 } = values;
  if (!(temperature >= 0 && temperature < Infinity)) {
    throw new RangeError(`temperature must be a number of at least 0, found ${temperature}`);
  }
  const beam = checkInteger('beam', values.beam ?? 1, 1, maxBeam);
  if (beam > 1 && temperature > 0) {
    throw new RangeError('beam search cannot be combined with sampling (temperature, topK, seed)');
  }
  return {
    decoder: values.decoder,
    maxInput: checkInteger('maxInput', values.maxInput, 1),
    truncate: readTruncate(values.truncate, components),
    signal: values.signal,
    beam,
    maxTokens: checkInteger('maxTokens', maxTokens, 1),
    texts: stop.filter((one) => typeof one === 'string'),
    // The text of a special token is no part of generated texts: its id ends generation.
    ends: new Set([
      ...specialIds.ends,
      ...stop.flatMap((one) =>
        typeof one === 'number' ? one : (tokenizer?.specialIdOf(one) ?? []),
      ),
    ]),
    returnsAttentions: values.attentions !== undefined && values.attentions !== false,
    attentions: perLayer(values.attentions, layers),
    logits: values.logits ?? false,
    interventions: readInterventions('generate', values, components),
    pick: {
      temperature,
      topK: checkInteger('topK', topK, 1),
      random: seed === undefined ? Math.random : randomNumbers(checkInteger('seed', seed, 0)),
    },
  };
}

/** The last row of each head's weights: the query that predicts the next token. */
function lastRows({ data, dims }) {
  const columns = dims.at(-1);
  const rows = dims.at(-2);
  const heads = data.length / (rows * columns);
  const last = new Float32Array(heads * columns);
  for (let head = 0; head < heads; head++) {
    const end = (head + 1) * rows * columns;
    last.set(data.subarray(end - columns, end), head * columns);
  }
  return { data: last, dims: [...dims.slice(0, -2), 1, columns] };
}

const attentionFields = (side, { attentions, cross }) => ({
  [side]: attentions.map(lastRows),
  ...(side === 'decoder' && { cross: cross.map(lastRows) }),
});

/** The length of the common start of two texts. */
function sharedLength(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** The text of generated ids, decoded incrementally. */
class GeneratedText {
  #tokenizer;
  #ids;
  #text; // of all ids
  #generated = ''; // with the special tokens, which stop texts may contain
  count = 0;

  constructor(tokenizer, ids) {
    this.#tokenizer = tokenizer;
    this.#ids = [...ids];
    this.#text = tokenizer?.decode(ids) ?? '';
  }

  /**
   * The text that a token adds; '' while the bytes of a character are incomplete. If it completes the last character of
   * the prompt or changes the space before it, what differs from the text before counts as added.
   */
  add(id) {
    this.count++;
    this.#ids.push(id);
    const token = this.#tokenizer?.tokenOf(id);
    if (token && this.#tokenizer.specialIdOf(token) === id) this.#generated += token;
    const decoded = this.#tokenizer?.decode(this.#ids) ?? '';
    if (decoded.endsWith('\ufffd')) return '';
    const added = decoded.slice(sharedLength(this.#text, decoded));
    this.#text = decoded;
    this.#generated += added;
    return added;
  }

  /** All ids, those of the prompt first. */
  get ids() {
    return this.#ids;
  }

  includesAny(texts) {
    return texts.some((one) => this.#generated.includes(one));
  }
}

const asVector = ({ data }) => ({ data, dims: [data.length] });

export async function* generate(components, input, options, requireModel) {
  const { tokenizer, specialIds, stacks } = components;
  const { signal, interventions } = options;
  const requireUsable = () => {
    signal?.throwIfAborted();
    requireModel();
  };
  const yieldToTasks = taskYielder(signal);
  const isDecoder = stacks.self === undefined;
  const first = isDecoder ? decoderIdsOf(components, input, options.decoder) : input.ids;
  if (isDecoder) requireRoom(stacks.decoder, options, first.length);
  const room = (stacks.self ?? stacks.decoder).maxLength - first.length + 1;
  const maxLength = Math.min(options.maxTokens, room);
  // Ids known before the model predicts them: a forced first token, or the result of beam search.
  let knownIds =
    isDecoder && first.length === 1 && specialIds.forced !== undefined ? [specialIds.forced] : [];
  let count = maxLength;
  const { finish } = components;
  const { hidden: memory, captured: encoderCaptures = [] } = isDecoder
    ? await finish(encode(components, input.ids, { interventions }), signal)
    : {};
  if (options.beam > 1) {
    const { searchBeams } = await loadFile('models_beams.js', () => import('./beams.js'));
    requireUsable();
    const { beam, ends } = options;
    const searchOptions = {
      memory,
      beam,
      first,
      maxLength,
      ends,
      bannedAfter: (ids) => specialIds.banned.after(first, ids),
      begin: knownIds,
      interventions,
    };
    // Texts cut off at maxTokens compete with finished ones.
    /** @type {BeamSearch} */
    const search = searchBeams(components, { ...searchOptions, minFinished: beam });
    try {
      let step = search.next();
      while (!step.done) {
        const logits = step.value instanceof Promise ? await step.value : undefined;
        await yieldToTasks();
        requireUsable();
        step = search.next(logits);
      }
      const { ids, id } = step.value;
      knownIds = ends.has(id) ? [...ids, id] : ids;
    } finally {
      search.return?.(); // frees the caches if the caller stops early
    }
    count = knownIds.length;
  }
  requireUsable();
  const returnsCaptures = interventions?.hasCaptures;
  const needsDecoding =
    options.beam === 1 || options.logits || options.returnsAttentions || returnsCaptures;
  const { attentions } = options;
  const capacity = first.length + maxLength;
  const decodingOptions = { memory, capacity, attentions, interventions };
  const decoding = needsDecoding && new Decoding(components, decodingOptions);
  const generated = new GeneratedText(tokenizer, first);
  try {
    let ids = first;
    while (generated.count < count) {
      await yieldToTasks();
      requireUsable();
      const result = decoding && (await finish(decoding.append(ids), signal));
      let id = knownIds[generated.count];
      if (id === undefined) {
        const { data } = result.logits;
        requireLogits(data, generated.count);
        const bannedIds = specialIds.banned.after(generated.ids);
        id = pickToken(data, { ...options.pick, bannedIds });
      }
      yield {
        id,
        token: tokenizer?.tokenOf(id),
        text: generated.add(id),
        ...(options.logits && { logits: asVector(result.logits) }),
        ...(options.returnsAttentions && {
          attentions: attentionFields(isDecoder ? 'decoder' : 'self', result),
        }),
        // The first token also has those of the encoder.
        ...(returnsCaptures && { captured: [...encoderCaptures.splice(0), ...result.captured] }),
      };
      if (options.ends.has(id) || generated.includesAny(options.texts)) return;
      ids = [id];
    }
  } finally {
    if (decoding) decoding.delete();
  }
}
