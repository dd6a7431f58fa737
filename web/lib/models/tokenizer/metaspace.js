// Fields of Metaspace, which pre-tokenizer and decoder share.
import { character, flag, nullable, oneOf, optional } from './fields.js';

export const metaspaceFields = {
  replacement: character,
  prepend_scheme: optional(oneOf(['always', 'first', 'never']), undefined),
  add_prefix_space: optional(nullable(flag), null), // older files
};

/**
 * Whether a word gets the mark of a space before it: 'always', 'first' or 'never'.
 *
 * @param {{ prepend_scheme?: string, add_prefix_space?: boolean }} fields
 */
export function metaspaceScheme({ prepend_scheme: scheme, add_prefix_space: adds }) {
  if (adds !== false) return scheme ?? 'always';
  if (scheme === undefined || scheme === 'never') return 'never';
  throw new RangeError(`Metaspace has add_prefix_space false, but prepend_scheme '${scheme}'`);
}
