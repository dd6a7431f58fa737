// Regular expressions of tokenizer.json, which are Oniguruma's, as RegExps with the same meaning. A pattern is searched in
// one piece of text at a time: its ^, $ and lookbehinds know nothing beyond. Patterns of tokenizer files may be anybody's,
// so each is a published one or is shown to take at most quadratic time.
import { messageOf } from '../../arguments/message_of.js';
import { requireFewPaths } from './pattern/count_paths.js';
import { publishedPatterns } from './pattern/published_patterns.js';
import { readPattern } from './pattern/read_pattern.js';
import { writePattern } from './pattern/write_pattern.js';

const maxLength = 10_000; // characters

function translate(source) {
  if (source.length > maxLength) {
    throw new RangeError(`${source.length} characters; the limit is ${maxLength}`);
  }
  const tree = readPattern(source);
  if (!publishedPatterns.has(source)) requireFewPaths(tree);
  return writePattern(tree);
}

const shortened = (source) => (source.length > 100 ? `${source.slice(0, 100)}…` : source);

/**
 * A RegExp with the flags g and u that finds what Oniguruma finds. Throws a RangeError for patterns that are not supported
 * or could take more than quadratic time.
 */
export function compilePattern(source) {
  try {
    return new RegExp(translate(source), 'gu');
  } catch (cause) {
    const reason =
      cause instanceof RangeError ? cause.message : `a syntax error: ${messageOf(cause)}`;
    throw new RangeError(`the pattern '${shortened(source)}' has ${reason}`, { cause });
  }
}
