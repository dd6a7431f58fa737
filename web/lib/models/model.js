// A loaded model: run() computes it for an input, generate() continues a text.
import { generate, readGenerateOptions } from './generate.js';
import { decoderIdsOf, perLayer, readInput, readRunOptions } from './read_input.js';
import { readInterventions, requireRoom, runEncoderDecoder, runStack } from './runtime.js';

export class Model {
  #components;

  /**
   * @param {object} components the result of assembleModel(): type, config, description, layers, heads, vocabularySize?,
   *   memoryBytes, tokenizer?, stacks, embeddings, patches?, pooler?, head?, pooling?, specialIds, finish(steps), free()
   */
  constructor(components) {
    this.#components = components;
    const { type, config, layers, heads, memoryBytes, tokenizer, description } = components;
    const { vocabularySize, head } = components;
    const canGenerate = head?.isLanguageModel ?? false;
    const facts = { type, config, description, layers, heads, vocabularySize, canGenerate };
    Object.assign(this, { ...facts, memoryBytes, tokenizer });
    if (new.target === Model) Object.freeze(this);
  }

  #requireComponents() {
    if (this.#components.endedBy) throw this.#components.endedBy;
    return this.#components;
  }

  run(input, options) {
    const components = this.#requireComponents();
    const { stacks, tokenizer } = components;
    const requested = readRunOptions(options, components.api.workers);
    requested.signal?.throwIfAborted();
    const { isImage, maxLength } = stacks.self ?? stacks.encoder;
    const maxTokens = Math.min(maxLength, requested.maxInput ?? Infinity);
    const modelInput = readInput(input, { tokenizer, isImage, maxTokens });
    if (requested.logits && !components.head) {
      throw new RangeError(`this ${components.type} model has no head, so it has no logits`);
    }
    const attentions = perLayer(requested.attentions, components.layers);
    if (stacks.self && requested.decoder !== undefined) {
      throw new TypeError(
        `the option decoder needs an encoder–decoder, but this is a ${components.type} model`,
      );
    }
    const interventions = readInterventions('run', requested, components);
    const runOptions = { ...requested, attentions, interventions };
    const { finish } = components;
    if (stacks.self) {
      return finish(runStack(components, modelInput, runOptions), requested.signal);
    }
    const decoderIds = decoderIdsOf(components, modelInput, requested.decoder);
    const steps = runEncoderDecoder(components, modelInput, decoderIds, runOptions);
    return finish(steps, requested.signal);
  }

  generate(input, options) {
    const components = this.#requireComponents();
    const { tokenizer, type, stacks } = components;
    if (!this.canGenerate) {
      throw new TypeError(`this ${type} model has no language-modeling head and cannot generate`);
    }
    const requested = readGenerateOptions(options, components);
    const inputStack = stacks.self ?? stacks.encoder;
    const maxTokens = Math.min(inputStack.maxLength, requested.maxInput ?? Infinity);
    const modelInput = readInput(input, { tokenizer, isImage: false, maxTokens });
    const { length } = modelInput.ids;
    requireRoom(inputStack, requested, length);
    requested.interventions?.setLengths({ encoder: length, self: Infinity, decoder: Infinity });
    return generate(components, modelInput, requested, () => this.#requireComponents());
  }

  /** Frees the memory of all layers and embeddings. */
  delete() {
    if (this.#components.endedBy) return;
    this.#components.endedBy = new Error('the model was deleted');
    this.#components.free(this.#components.endedBy);
  }
}
