// The field `pattern` of Replace and Split: { String } or { Regex }.
import { describe } from '../../arguments/describe.js';
import { isObject } from './fields.js';
import { compilePattern } from './pattern.js';
import { literalMatches, patternMatches } from './text_matches.js';

/** A kind of field: a function from a text to its matches. */
export function textPattern(value, label) {
  const names = isObject(value) ? Object.keys(value) : [];
  const [name] = names;
  if (
    names.length !== 1 ||
    !['String', 'Regex'].includes(name) ||
    typeof value[name] !== 'string'
  ) {
    throw new RangeError(`${label} must be { String } or { Regex }, found ${describe(value)}`);
  }
  if (name === 'String') return (text) => literalMatches(text, value.String);
  const pattern = compilePattern(value.Regex);
  return (text) => patternMatches(text, pattern);
}
