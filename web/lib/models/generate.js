// Going on from a text, token by token: each layer keeps the keys and values of what was read, and of an encoder's
// output they are made once.
import { describe } from '../arguments/describe.js';
import { abortSignal } from '../arguments/abort_signal.js';
import { boolean, isList, number, readOptions, string } from '../arguments/options.js';
import { decoderIdsOf } from './decoder_ids.js';
import { pickToken } from './pick_token.js';
import { randomNumbers } from './random_numbers.js';
import { layersWanted, ofEachLayer, requireRoom, whole } from './read_input.js';
import { someRows } from './vector_rows.js';

const usualTokens = 128;
const mostBeams = 64;

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
  beam: number,
  maxInput: number,
  signal: abortSignal,
};

export function readGenerateOptions(options, { layers, starts }) {
  const read = readOptions('generate', options, kinds);
  const { maxTokens = usualTokens, stop = [], topK, seed } = read;
  const isByChance = topK !== undefined || seed !== undefined;
  const { temperature = isByChance ? 1 : 0 } = read;
  if (!(temperature >= 0 && temperature < Infinity)) {
    throw new RangeError(`temperature must be a number of at least 0, found ${temperature}`);
  }
  const beam = whole('beam', read.beam ?? 1, 1, mostBeams);
  if (beam > 1 && temperature > 0) {
    throw new RangeError(
      'temperature, topK and seed draw by chance, but beam looks for the likeliest text',
    );
  }
  return {
    decoder: read.decoder,
    maxInput: whole('maxInput', read.maxInput, 1),
    signal: read.signal,
    beam,
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

/**
 * What one stack that reads text needs to go on: its caches, and of an encoder's output what was made of it. `widen`
 * makes a batch of that, where several texts go on side by side.
 */
function begin({ stacks, embeddings, head }, read, { capacity, batch, widen = (x) => x }) {
  const side = stacks.self ? 'self' : 'decoder';
  const { stack } = stacks[side];
  let memory;
  if (side === 'decoder') {
    const encoded = stacks.encoder.stack.run(embeddings.encoder.of(read.ids));
    memory = stack.projectMemory(widen(encoded.hidden));
  }
  const free = (caches = []) => {
    for (const cache of [...caches, ...(memory ?? [])]) cache.delete();
  };
  try {
    const caches = stack.createCaches(capacity, batch);
    return {
      ...{ side, stack, head, memory, caches, embedding: embeddings[side] },
      free: () => free(caches),
    };
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

const turnMilliseconds = 15; // a third of the 50 ms that a page may wait: a step and the collector take their time too

/** The next task of the event loop. setTimeout() is the last choice: browsers have it wait at least 4 ms. */
const nextTask = () =>
  new Promise((next) => {
    const { setImmediate } = globalThis; // of Node.js
    if (setImmediate) setImmediate(next);
    else if (typeof MessageChannel === 'function') {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        next();
      };
      port2.postMessage(null);
    } else setTimeout(next);
  });

/** Lets other tasks run where none could for a while: between any two steps with a signal, which may be aborted by one. */
function turns(signal) {
  let last = performance.now();
  return async () => {
    if (!signal && performance.now() - last < turnMilliseconds) return;
    await nextTask();
    last = performance.now();
  };
}

export async function* generate(parts, read, wanted, requireModel) {
  const { head, tokenizer, starts, stacks } = parts;
  const { signal } = wanted;
  const requireLive = () => {
    signal?.throwIfAborted();
    requireModel();
  };
  const turn = turns(signal);
  const isDecoder = stacks.self === undefined;
  const first = isDecoder ? decoderIdsOf(parts, read, wanted.decoder) : read.ids;
  if (isDecoder) requireRoom(stacks.decoder, wanted, first.length);
  const room = (stacks.self ?? stacks.decoder).longest - first.length + 1;
  const longest = Math.min(wanted.maxTokens, room);
  // Ids that are settled before a step says what follows.
  let settled =
    isDecoder && first.length === 1 && starts.forced !== undefined ? [starts.forced] : [];
  let count = longest;
  if (wanted.beam > 1) {
    const { searchBeams } = await import('./beams.js');
    requireLive();
    const make = (how) => begin(parts, read, how);
    const search = searchBeams(make, { ...wanted, first, longest, begin: settled });
    try {
      let step = search.next();
      for (; !step.done; step = search.next()) {
        await turn();
        requireLive();
      }
      settled = step.value;
    } finally {
      search.return(); // frees what it holds where it was left
    }
    count = settled.length;
  }
  requireLive();
  const isStepped = wanted.beam === 1 || wanted.logits || wanted.isSampled;
  const state = isStepped && begin(parts, read, { capacity: first.length + longest });
  const written = new Written(tokenizer, first);
  try {
    let ids = first;
    let length = 0;
    while (written.count < count) {
      await turn();
      requireLive();
      let logits;
      let result;
      if (state) {
        const { caches, memory, embedding, stack } = state;
        const x = embedding.of(ids, { offset: length });
        length += ids.length;
        result = stack.run(x, { caches, memory, attentions: wanted.attentions });
        const { data } = head.logits(someRows(result.hidden, [ids.length - 1]), {});
        logits = { data, dims: [data.length] };
      }
      const id = settled[written.count] ?? pickToken(logits.data, wanted.pick);
      yield {
        id,
        token: tokenizer?.tokenOf(id),
        text: written.add(id),
        ...(wanted.logits && { logits }),
        ...(wanted.isSampled && { attentions: named(state.side, result) }),
      };
      if (wanted.ends.has(id) || written.has(wanted.texts)) return;
      ids = [id];
    }
  } finally {
    if (state) state.free();
  }
}
