// The forward pass of a model: one stack, or an encoder and a decoder that attends to its output. Functions with * are in
// steps. The options are those of Stack.run().
/** @import { Interventions } from '../inside/interventions.js' */
/** @import { RunOptions } from './stack.js' */
/** @import { Matrix } from './vector_rows.js' */
import { sentenceVector } from './sentence_vector.js';
import { rowOf, someRows } from './vector_rows.js';

const asVector = (data) => ({ data, dims: [data.length] });

/** The pooler's output for the first token: the input of classification heads, also in sentence encoders. */
function poolerOutput({ pooler, pooled }, hidden) {
  const row = rowOf(hidden, 0);
  if (pooler) return asVector(pooler({ data: row, dims: [1, row.length] }));
  return pooled === 'first' ? asVector(row.slice()) : undefined;
}

/** Throws for more tokens than positions or maxInput. */
export function requireRoom({ maxLength }, { maxInput = Infinity }, count) {
  if (count > maxLength) {
    throw new RangeError(
      `the input has ${count} tokens, but the model has positions for ${maxLength}`,
    );
  }
  if (count > maxInput) {
    throw new RangeError(`the input has ${count} tokens, but maxInput is ${maxInput}`);
  }
}

/**
 * The encoder's result for these ids; the decoder attends to its `hidden`. start: the first layer to compute and its
 * input; default: layer 0 and the embeddings.
 *
 * @typedef {Omit<RunOptions, 'interventions'> & { interventions?: Interventions, start?: { first: number, x: Matrix } }} EncodeOptions
 */
export function* encode(
  { stacks, embeddings },
  ids,
  /** @type {EncodeOptions} */ { interventions, start, ...options } = {},
) {
  const calls = interventions?.ofCalls('encoder', 0, ids.length);
  const { first, x = yield* embeddings.encoder.of(ids) } = start ?? {};
  return yield* stacks.encoder.stack.run(x, { ...options, first, interventions: calls });
}

/** The decoder's result for these ids; memory: the encoder's `hidden`, or the result of projectMemory(); start: as above. */
export function* decode({ stacks, embeddings }, ids, memory, options = {}) {
  const { interventions, start, ...others } = options;
  const calls = interventions?.ofCalls('decoder', 0, ids.length, Array.isArray(memory));
  const { first, x = yield* embeddings.decoder.of(ids) } = start ?? {};
  const runOptions = { ...others, first, memory, interventions: calls };
  return yield* stacks.decoder.stack.run(x, runOptions);
}

/**
 * hidden, logits and pooled of a result, from the output of the final norm; in steps. position: of the only row of logits,
 * for heads that classify tokens; default: all rows. ids: of the text, in encoder–decoders of the encoder's.
 *
 * @typedef {{ logits?: boolean, position?: number, ids?: number[], promptLength?: number }} OutputOptions
 */
export function* outputsOf(
  components,
  hidden,
  /** @type {OutputOptions} */ { logits = true, position, ids = [], promptLength } = {},
) {
  const { head, pooling, specialIds } = components;
  const own = poolerOutput(components, hidden);
  const pooled = pooling ? sentenceVector(pooling, hidden, promptLength) : own;
  const rows = position === undefined ? hidden : someRows(hidden, [position]);
  return {
    hidden,
    ...(head && logits && { logits: yield* head.logits(rows, { pooled: own, ids, specialIds }) }),
    ...(pooled && { pooled }),
  };
}

/** Fields of the result that describe the input. */
const inputFields = ({ ids, tokens, spans, parts }) => ({
  ids,
  ...(tokens && { tokens }),
  ...(spans && { spans, parts }),
});

/** run() of a model with one stack. input: the result of readInput(). */
export function* runStack(components, input, options) {
  const { stacks, embeddings, imageEmbedding } = components;
  const { interventions } = options;
  const check = (count) => {
    requireRoom(stacks.self, options, count);
    interventions?.setLengths({ self: count });
  };
  const image = input.pixels === undefined ? undefined : imageEmbedding.of(input.pixels, check);
  if (!image) check(input.ids.length);
  if (input.hasOwnTypes) embeddings.self.requireTypes(input.typeIds);
  const x = image?.x ?? (yield* embeddings.self.of(input.ids, { typeIds: input.typeIds }));
  const calls = interventions?.ofCalls('self', 0, x.dims[0]);
  const result = yield* stacks.self.stack.run(
    x,
    calls ? { ...options, interventions: calls } : options,
  );
  return {
    ...inputFields({ ...input, ids: input.ids ?? [] }),
    ...(image && { grid: image.grid }),
    ...(yield* outputsOf(components, result.hidden, {
      ...{ logits: options.logits, ids: input.ids, promptLength: input.promptLength },
    })),
    ...(options.hiddenStates && { hiddenStates: result.hiddenStates }),
    ...(result.attentions.length > 0 && { attentions: { self: result.attentions } }),
    ...(options.projections && { projections: { self: result.projections } }),
    ...(interventions?.hasCaptures && { captured: result.captured }),
  };
}

/** run() of an encoder–decoder. */
export function* runEncoderDecoder(components, input, decoderIds, options) {
  const { stacks, tokenizer } = components;
  requireRoom(stacks.encoder, options, input.ids.length);
  requireRoom(stacks.decoder, options, decoderIds.length);
  const { interventions } = options;
  interventions?.setLengths({ encoder: input.ids.length, decoder: decoderIds.length });
  const encoded = yield* encode(components, input.ids, options);
  const decoded = yield* decode(components, decoderIds, encoded.hidden, options);
  const { ids } = input;
  return {
    ...inputFields(input),
    decoderIds,
    ...(tokenizer && { decoderTokens: decoderIds.map((id) => tokenizer.tokenOf(id)) }),
    ...(yield* outputsOf(components, decoded.hidden, { logits: options.logits, ids })),
    encoderHidden: encoded.hidden,
    ...(options.hiddenStates && {
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
    ...(options.projections && {
      projections: {
        encoder: encoded.projections,
        decoder: decoded.projections,
        cross: decoded.crossProjections,
      },
    }),
    ...(interventions?.hasCaptures && { captured: [...encoded.captured, ...decoded.captured] }),
  };
}
