// Fields of tokenizer.json that are read by the Rust library but have no effect here, with the reason.
import { oneOf, optional, refuse } from './fields.js';

const anything = (value) => value;
const zero = (value, label) =>
  value === null || value === 0 ? value : refuse(label, 'null or 0', value);

const offsetsAreTrimmed = 'spans never have white space at their ends';
const onlyForPreTokenizers = 'has an effect in pre_tokenizer only';

/** By component: [field, accepted values, reason]. */
export const ignoredFields = {
  'tokenizer.json': [
    ['version', oneOf(['1.0']), 'there is one version'],
    ['truncation', anything, 'the option truncate of run() cuts to the length of the model'],
    ['padding', anything, 'one text is encoded at a time'],
  ],
  'model BPE': [['dropout', zero, 'a random choice of merges, for training']],
  'pre_tokenizer ByteLevel': [['trim_offsets', anything, offsetsAreTrimmed]],
  'post_processor ByteLevel': [
    ['trim_offsets', anything, offsetsAreTrimmed],
    ['add_prefix_space', anything, offsetsAreTrimmed],
    ['use_regex', anything, onlyForPreTokenizers],
  ],
  'post_processor RobertaProcessing': [
    ['trim_offsets', anything, offsetsAreTrimmed],
    ['add_prefix_space', anything, offsetsAreTrimmed],
  ],
  'decoder ByteLevel': [
    ['add_prefix_space', anything, onlyForPreTokenizers],
    ['trim_offsets', anything, onlyForPreTokenizers],
    ['use_regex', anything, onlyForPreTokenizers],
  ],
  'pre_tokenizer Metaspace': [['str_rep', anything, 'a copy of replacement in older files']],
  'decoder Metaspace': [
    ['str_rep', anything, 'a copy of replacement in older files'],
    ['split', anything, onlyForPreTokenizers],
  ],
};

/** The ignored fields of a component, for readFields(). */
export const ignoredOf = (component) =>
  Object.fromEntries(
    (ignoredFields[component] ?? []).map(([name, kind]) => [name, optional(kind, null)]),
  );
