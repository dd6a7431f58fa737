// A model that was loaded: run() looks at what is given, generate() goes on from it.
import { decoderIdsOf } from './decoder_ids.js';
import { generate, readGenerateOptions } from './generate.js';
import { ofEachLayer, readInput, readRunOptions, requireRoom } from './read_input.js';
import { meanRow, normalised, rowOf } from './vector_rows.js';

const poolings = {
  mean: (hidden) => meanRow(hidden),
  cls: (hidden) => rowOf(hidden, 0).slice(),
};

export class Model {
  #parts;

  /**
   * @param {object} parts type, config, layers, heads, memoryBytes; tokenizer?; stacks, embeddings, patches?, pooler?,
   *   head?; pooling?: how sentences are pooled; starts: ids that generation takes from the config; free()
   */
  constructor(parts) {
    this.#parts = parts;
    const { type, config, layers, heads, memoryBytes, tokenizer } = parts;
    Object.freeze(Object.assign(this, { type, config, layers, heads, memoryBytes, tokenizer }));
  }

  #live() {
    if (this.#parts.isDeleted) throw new Error('the model was deleted and cannot be used any more');
    return this.#parts;
  }

  run(input, options) {
    const parts = this.#live();
    const { stacks, tokenizer } = parts;
    const wanted = readRunOptions(options);
    const { isImage, longest } = stacks.self ?? stacks.encoder;
    const most = Math.min(longest, wanted.maxInput ?? Infinity);
    const read = readInput(input, { tokenizer, isImage, most });
    if (wanted.logits && !parts.head) {
      throw new RangeError(`this ${parts.type} has no head that gives logits`);
    }
    const attentions = ofEachLayer(wanted.attentions, parts.layers);
    if (stacks.self && wanted.decoder !== undefined) {
      throw new TypeError(
        `'decoder' is how the text of a decoder begins, which ${parts.type} does not have`,
      );
    }
    const asked = { ...wanted, attentions };
    return stacks.self ? ofOneStack(parts, read, asked) : ofTwoStacks(parts, read, asked);
  }

  generate(input, options) {
    const parts = this.#live();
    const { tokenizer, type, stacks, head } = parts;
    if (!head?.follows) {
      throw new TypeError(
        `this ${type} has no head that says which word follows: it cannot generate`,
      );
    }
    const wanted = readGenerateOptions(options, parts);
    const reading = stacks.self ?? stacks.encoder;
    const most = Math.min(reading.longest, wanted.maxInput ?? Infinity);
    const read = readInput(input, { tokenizer, isImage: false, most });
    requireRoom(reading, wanted, read.ids.length);
    return generate(parts, read, wanted, () => this.#live());
  }

  /** Frees the memory of its layers and tables at once. */
  delete() {
    if (this.#parts.isDeleted) return;
    this.#parts.isDeleted = true;
    this.#parts.free();
  }
}

/** What of the input is told again. */
const told = ({ ids, tokens, spans, parts }) => ({
  ids,
  ...(tokens && { tokens }),
  ...(spans && { spans, parts }),
});

const asVector = (data) => ({ data, dims: [data.length] });

/** What the pooler makes of the first token: classes are read off it, whatever the files of a sentence encoder say. */
function ownPooled({ pooler, pooled }, hidden) {
  const row = rowOf(hidden, 0);
  if (pooler) return asVector(pooler({ data: row, dims: [1, row.length] }));
  return pooled === 'first' ? asVector(row.slice()) : undefined;
}

function pooledBy({ mode, isNormalised }, hidden) {
  const vector = poolings[mode](hidden);
  return asVector(isNormalised ? normalised(vector) : vector);
}

function ofOneStack(parts, read, wanted) {
  const { stacks, embeddings, patches, head } = parts;
  const check = (count) => requireRoom(stacks.self, wanted, count);
  const given = read.pixels === undefined ? undefined : patches.of(read.pixels, check);
  if (!given) check(read.ids.length);
  const x = given?.x ?? embeddings.self.of(read.ids, { typeIds: read.typeIds });
  const result = stacks.self.stack.run(x, wanted);
  const own = ownPooled(parts, result.hidden);
  const pooled = parts.pooling ? pooledBy(parts.pooling, result.hidden) : own;
  const ids = read.ids ?? [];
  return {
    ...told({ ...read, ids }),
    ...(given && { grid: given.grid }),
    hidden: result.hidden,
    ...(head &&
      wanted.logits !== false && { logits: head.logits(result.hidden, { pooled: own, ends: [] }) }),
    ...(pooled && { pooled }),
    ...(wanted.hiddenStates && { hiddenStates: result.hiddenStates }),
    ...(result.attentions.length > 0 && { attentions: { self: result.attentions } }),
    ...(wanted.projections && { projections: { self: result.projections } }),
  };
}

function ofTwoStacks(parts, read, wanted) {
  const { stacks, embeddings, head, tokenizer, starts } = parts;
  const decoderIds = decoderIdsOf(parts, read, wanted.decoder);
  requireRoom(stacks.encoder, wanted, read.ids.length);
  requireRoom(stacks.decoder, wanted, decoderIds.length);
  const encoded = stacks.encoder.stack.run(embeddings.encoder.of(read.ids), wanted);
  const decoded = stacks.decoder.stack.run(embeddings.decoder.of(decoderIds), {
    ...wanted,
    memory: encoded.hidden,
  });
  const ends = read.ids.flatMap((id, at) => (starts.ends.includes(id) ? [at] : []));
  return {
    ...told(read),
    decoderIds,
    ...(tokenizer && { decoderTokens: decoderIds.map((id) => tokenizer.tokenOf(id)) }),
    hidden: decoded.hidden,
    encoderHidden: encoded.hidden,
    ...(head && wanted.logits !== false && { logits: head.logits(decoded.hidden, { ends }) }),
    ...(wanted.hiddenStates && {
      hiddenStates: decoded.hiddenStates,
      encoderHiddenStates: encoded.hiddenStates,
    }),
    ...(decoded.attentions.length + encoded.attentions.length > 0 && {
      attentions: {
        encoder: encoded.attentions,
        decoder: decoded.attentions,
        cross: decoded.cross,
      },
    }),
    ...(wanted.projections && {
      projections: {
        encoder: encoded.projections,
        decoder: decoded.projections,
        cross: decoded.crossProjections,
      },
    }),
  };
}
