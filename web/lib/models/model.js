// A loaded model: run() computes it for an input, generate() continues a text.
import { generate, readGenerateOptions } from './generate.js';
import { decoderIdsOf, perLayer, readInput, readRunOptions } from './read_input.js';
import { requireRoom, runEncoderDecoder, runStack } from './runtime.js';

export class Model {
  #components;

  /**
   * @param {object} components the result of assembleModel(): type, config, description, layers, heads, vocabularySize?,
   *   memoryBytes, tokenizer?, stacks, embeddings, patches?, pooler?, head?, pooling?, specialIds, free()
   */
  constructor(components) {
    this.#components = components;
    const { type, config, layers, heads, memoryBytes, tokenizer, description } = components;
    const { vocabularySize, head } = components;
    const canGenerate = head?.isLanguageModel ?? false;
    const facts = { type, config, description, layers, heads, vocabularySize, canGenerate };
    Object.freeze(Object.assign(this, { ...facts, memoryBytes, tokenizer }));
  }

  #requireComponents() {
    if (this.#components.isDeleted) throw new Error('the model was deleted');
    return this.#components;
  }

  run(input, options) {
    const components = this.#requireComponents();
    const { stacks, tokenizer } = components;
    const requested = readRunOptions(options);
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
    const runOptions = { ...requested, attentions };
    if (stacks.self) return runStack(components, modelInput, runOptions);
    return runEncoderDecoder(
      components,
      modelInput,
      decoderIdsOf(components, modelInput, requested.decoder),
      runOptions,
    );
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
    requireRoom(inputStack, requested, modelInput.ids.length);
    return generate(components, modelInput, requested, () => this.#requireComponents());
  }

  /** Frees the memory of all layers and embeddings. */
  delete() {
    if (this.#components.isDeleted) return;
    this.#components.isDeleted = true;
    this.#components.free();
  }
}
