// A loaded model: run() computes it for an input, generate() continues a text, other methods measure results.
import { termCaptures, withAttentionTerms } from './inside/attention_terms.js';
import { requireRaw } from '../arguments/raw_object.js';
import { attribute, attributionCaptures } from './inside/attribute.js';
import { generate, readGenerateOptions } from './run/generate.js';
import { headOutputCaptures, withHeadOutputs } from './run/head_outputs.js';
import { lens } from './inside/lens.js';
import { norms } from './inside/norms.js';
import {
  decoderIdsOf,
  perLayer,
  promptOf,
  readEncodeOptions,
  readInput,
  readRunOptions,
} from './run/read_input.js';
import { readInterventions, requireRoom, runEncoderDecoder, runStack } from './run/runtime.js';

export class Model {
  #components;

  /** For componentsOf(). */
  get [Symbol.for('attention-wasm')]() {
    return Model.#of(this);
  }

  /**
   * @param {object} components the result of assembleModel(): type, config, unknownFields, warnings, description, layers, heads, vocabularySize?,
   *   memoryBytes, tokenizer?, missingTokenizer?, stacks, embeddings, imageEmbedding?, pooler?, head?, pooling?, specialIds, hasIntegers, finish(steps),
   *   free()
   */
  constructor(components) {
    this.#components = components;
    const { type, config, layers, heads, memoryBytes, tokenizer, description } = components;
    const { vocabularySize, head, unknownFields, warnings } = components;
    const canGenerate = head?.isLanguageModel ?? false;
    const sizes = { layers, heads, vocabularySize };
    const facts = { type, config, unknownFields, warnings, description, ...sizes, canGenerate };
    Object.assign(this, { ...facts, memoryBytes, tokenizer });
    if (new.target === Model) Object.freeze(this);
  }

  /** The components of `model`; throws if it was deleted. */
  static #of(model) {
    requireRaw(#components in model, 'the model');
    if (model.#components.endedBy) throw model.#components.endedBy;
    return model.#components;
  }

  /**
   * The input of run(), as of readInput(). isLimited: whether a text may be too long.
   *
   * @param components
   * @param input
   * @param {{ prompt?: unknown, maxInput?: number, truncate?: boolean }} options
   */
  static #read(components, input, { prompt, maxInput, truncate }, isLimited = true) {
    const { stacks, tokenizer, missingTokenizer, pooling } = components;
    const { isImage, maxLength } = stacks.self ?? stacks.encoder;
    const maxTokens = Math.min(maxLength, maxInput ?? Infinity);
    const truncateTo = truncate ? Math.min(maxTokens, pooling?.maxTokens ?? Infinity) : undefined;
    if (prompt && Object.hasOwn(Object(input), 'ids')) {
      throw new TypeError('the option prompt needs a text, but the input is ids');
    }
    return readInput(input, {
      ...{ isImage, tokenizer, missingTokenizer, truncateTo },
      maxTokens: isLimited ? maxTokens : Infinity,
      ...{ prompt: promptOf(prompt, pooling), includesPrompt: pooling?.includesPrompt },
    });
  }

  encode(input, options) {
    const components = Model.#of(this);
    const read = Model.#read(components, input, readEncodeOptions(options), false);
    if (read.pixels) throw new TypeError('an image has no tokens: encode() needs a text or ids');
    const { ids, typeIds, tokens, spans, parts, prompt = '' } = read;
    return { ids, typeIds, tokens, spans, parts, prompt };
  }

  run(input, options) {
    const components = Model.#of(this);
    const { stacks } = components;
    const requested = readRunOptions(options, components.api.workers);
    requested.signal?.throwIfAborted();
    const modelInput = Model.#read(components, input, requested);
    if (requested.logits && !components.head) {
      throw new RangeError(`this ${components.type} model has no head, so it has no logits`);
    }
    const attentions = perLayer(requested.attentions, components.layers);
    if (stacks.self && requested.decoder !== undefined) {
      throw new TypeError(
        `the option decoder needs an encoder–decoder, but this is a ${components.type} model`,
      );
    }
    const { edits, headOutputs, attentionTerms, attribution, signal } = requested;
    let { capture } = requested;
    if (headOutputs) capture = [...(capture ?? []), ...headOutputCaptures(components, headOutputs)];
    if (attentionTerms) {
      capture = [...(capture ?? []), ...termCaptures(components, attentionTerms)];
    }
    if (attribution) capture = [...(capture ?? []), ...attributionCaptures(components)];
    const interventions = readInterventions('run', { edits, capture }, components);
    const runOptions = { ...requested, attentions, interventions };
    let steps = stacks.self
      ? runStack(components, modelInput, runOptions)
      : runEncoderDecoder(
          components,
          modelInput,
          decoderIdsOf(components, modelInput, requested.decoder),
          runOptions,
        );
    if (headOutputs) steps = withHeadOutputs(steps, headOutputs);
    if (attentionTerms) steps = withAttentionTerms(steps, attentionTerms);
    return components.finish(steps, signal);
  }

  generate(input, options) {
    const components = Model.#of(this);
    const { tokenizer, type, stacks } = components;
    if (!components.head?.isLanguageModel) {
      throw new TypeError(`this ${type} model has no language-modeling head and cannot generate`);
    }
    const requested = readGenerateOptions(options, components);
    const inputStack = stacks.self ?? stacks.encoder;
    const maxTokens = Math.min(inputStack.maxLength, requested.maxInput ?? Infinity);
    const truncateTo = requested.truncate ? maxTokens : undefined;
    const { missingTokenizer } = components;
    const texts = { tokenizer, missingTokenizer, maxTokens, truncateTo };
    const modelInput = readInput(input, { isImage: false, ...texts });
    const { length } = modelInput.ids;
    requireRoom(inputStack, requested, length);
    requested.interventions?.setLengths({ encoder: length, self: Infinity, decoder: Infinity });
    return generate(components, modelInput, requested, () => Model.#of(this));
  }

  lens(result, options) {
    const components = Model.#of(this);
    return components.finish(lens(components, result, options));
  }

  attribute(result, options) {
    const components = Model.#of(this);
    return components.finish(attribute(components, result, options));
  }

  norms(result) {
    return norms(Model.#of(this), result);
  }

  /** Frees the memory of all layers and embeddings. */
  delete() {
    requireRaw(#components in this, 'the model');
    if (this.#components.endedBy) return;
    this.#components.endedBy = new Error('the model was deleted');
    this.#components.free(this.#components.endedBy);
  }
}
