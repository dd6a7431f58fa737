// Going on from a text, token by token: each layer keeps the keys and values of what was read, and of an encoder's
// output they are made once.
import { describe } from '../arguments/describe.js';
import { boolean, isList, number, readOptions, string } from '../arguments/options.js';
import { decoderIdsOf } from './decoder_ids.js';
import { pickToken } from './pick_token.js';
import { randomNumbers } from './random_numbers.js';
import { layersWanted, ofEachLayer } from './read_input.js';
import { someRows } from './vector_rows.js';

const usualTokens = 128;

/** Texts and ids that end it. */
function stops(value, name) {
  const list = isList(value) ? Array.from(value) : [value];
  return list.map((stop) => {
    const isId = Number.isInteger(stop) && stop >= 0;
    if (isId || (typeof stop === 'string' && stop !== '')) return stop;
    throw new TypeError(`${name} must be texts or ids of tokens, found ${describe(stop)}`);
  });
}

const kinds = {
  maxTokens: number,
  stop: stops,
  temperature: number,
  topK: number,
  seed: number,
  attentions: layersWanted,
  logits: boolean,
  decoder: string,
};

function whole(name, value, least) {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return value;
  throw new RangeError(`${name} must be a whole number of at least ${least}, found ${value}`);
}

export function readGenerateOptions(options, { layers, starts }) {
  const read = readOptions('generate', options, kinds);
  const { maxTokens = usualTokens, stop = [], topK, seed } = read;
  const isByChance = topK !== undefined || seed !== undefined;
  const { temperature = isByChance ? 1 : 0 } = read;
  if (!(temperature >= 0 && temperature < Infinity)) {
    throw new RangeError(`temperature must be a number of at least 0, found ${temperature}`);
  }
  return {
    decoder: read.decoder,
    maxTokens: whole('maxTokens', maxTokens, 1),
    texts: stop.filter((one) => typeof one === 'string'),
    ends: new Set([...starts.ends, ...stop.filter((one) => typeof one === 'number')]),
    isSampled: read.attentions !== undefined && read.attentions !== false,
    attentions: ofEachLayer(read.attentions, layers),
    logits: read.logits ?? false,
    pick: {
      temperature,
      topK: whole('topK', topK, 1),
      random: randomNumbers(whole('seed', seed, 0)),
      refused: new Set(starts.refused),
    },
  };
}

/** The last row of each head: where the token that comes next looks. */
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

/** What one stack that reads text needs to go on: its caches, and of an encoder's output what was made of it. */
function begin({ stacks, embeddings }, read, ids, maxTokens) {
  const side = stacks.self ? 'self' : 'decoder';
  const { stack, longest } = stacks[side];
  const capacity = Math.min(ids.length + maxTokens, longest);
  let memory;
  if (side === 'decoder') {
    const encoded = stacks.encoder.stack.run(embeddings.encoder.of(read.ids));
    memory = stack.projectMemory(encoded.hidden);
  }
  const free = (caches = []) => {
    for (const cache of [...caches, ...(memory ?? [])]) cache.delete();
  };
  try {
    const caches = stack.createCaches(capacity);
    return { side, stack, capacity, memory, caches, free: () => free(caches) };
  } catch (error) {
    free();
    throw error;
  }
}

const named = (side, { attentions, cross }) => ({
  [side]: attentions.map(lastRows),
  ...(side === 'decoder' && { cross: cross.map(lastRows) }),
});

/** What was written behind ids that were there before, and what of it is new text. */
class Written {
  #tokenizer;
  #ids;
  #before;
  #text;
  count = 0;

  constructor(tokenizer, ids) {
    this.#tokenizer = tokenizer;
    this.#ids = [...ids];
    this.#text = tokenizer?.decode(ids) ?? '';
    this.#before = this.#text.length;
  }

  /** The text that the token adds; a character whose bytes are not all there adds nothing yet. */
  add(id) {
    this.count++;
    this.#ids.push(id);
    const whole = this.#tokenizer?.decode(this.#ids) ?? '';
    if (whole.endsWith('\ufffd') || !whole.startsWith(this.#text)) return '';
    const added = whole.slice(this.#text.length);
    this.#text = whole;
    return added;
  }

  has(texts) {
    const text = this.#text.slice(this.#before);
    return texts.some((one) => text.includes(one));
  }
}

export async function* generate(parts, read, wanted, requireLive) {
  const { embeddings, head, tokenizer, starts } = parts;
  const isDecoder = parts.stacks.self === undefined;
  const first = isDecoder ? decoderIdsOf(parts, read, wanted.decoder) : read.ids;
  requireLive();
  const state = begin(parts, read, first, wanted.maxTokens);
  const written = new Written(tokenizer, first);
  try {
    let ids = first;
    for (
      let length = 0;
      written.count < wanted.maxTokens && length + ids.length <= state.capacity;
    ) {
      requireLive();
      const x = embeddings[state.side].of(ids, { offset: length });
      length += ids.length;
      const { caches, memory } = state;
      const result = state.stack.run(x, { caches, memory, attentions: wanted.attentions });
      const hidden = someRows(result.hidden, [result.hidden.dims[0] - 1]);
      const { data } = head.logits(hidden, {});
      const isForced = isDecoder && length === 1 && starts.forced !== undefined;
      const id = isForced ? starts.forced : pickToken(data, wanted.pick);
      const text = written.add(id);
      yield {
        id,
        token: tokenizer?.tokenOf(id),
        text,
        ...(wanted.logits && { logits: { data, dims: [data.length] } }),
        ...(wanted.isSampled && { attentions: named(state.side, result) }),
      };
      if (wanted.ends.has(id) || written.has(wanted.texts)) return;
      ids = [id];
    }
  } finally {
    state.free();
  }
}
