// Reads all of tokenizer.json: the parts of a tokenizer. Everything is checked; ignored_fields.js lists what has no effect.
import { AddedTokens, readAddedTokens } from './added_tokens.js';
import { allow, allowPatterns } from './budget.js';
import { readDecoder } from './decoders.js';
import { oneOf, optional, readFields } from './fields.js';
import { ignoredOf } from './ignored_fields.js';
import { readModel } from './models.js';
import { readNormalizer } from './normalizers.js';
import { readPostProcessor } from './post_processors.js';
import { readPreTokenizer } from './pre_tokenizers.js';

const any = (value) => value;
const truncationSide = oneOf(['right', 'left']);
const component = optional(any, null);

const fields = {
  added_tokens: component,
  normalizer: component,
  pre_tokenizer: component,
  post_processor: component,
  decoder: component,
  model: any,
};

/**
 * { added, model, preTokenize, postProcess, decode, truncationSide } of tokenizer.json.
 *
 * @param {unknown} description
 * @param {object | undefined} config tokenizer_config.json
 * @param {{ normalizers?: object, models?: object }} components beside those of tokenizer.json
 */
export function readDescription(description, config, { normalizers, models } = {}) {
  const name = 'tokenizer.json';
  const parts = readFields(description, { ...fields, ...ignoredOf(name) }, 'the description');
  const tokens = readAddedTokens(parts.added_tokens, config);
  const model = readModel(parts.model, models);
  allowPatterns();
  allow(tokens.reduce((sum, { content }) => sum + content.length, 0));
  return {
    model,
    added: new AddedTokens(tokens, model.vocabulary, readNormalizer(parts.normalizer, normalizers)),
    preTokenize: readPreTokenizer(parts.pre_tokenizer),
    postProcess: readPostProcessor(parts.post_processor),
    decode: readDecoder(parts.decoder),
    truncationSide: truncationSide(
      config?.truncation_side ?? 'right',
      "'truncation_side' of tokenizer_config.json",
    ),
  };
}
