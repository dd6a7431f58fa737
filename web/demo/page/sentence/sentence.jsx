// The sentence below the map.

import { sentenceClasses } from './sentence_text.js';

/** `parts`: result of sentenceParts(). */
export const Sentence = ({ parts }) => <>{parts.map(partOf)}</>;

function partOf(part) {
  if (typeof part === 'string') return part;
  const { is, text } = part;
  return is === 'share' ? <strong>{text}</strong> : <bdi class={sentenceClasses[is]}>{text}</bdi>;
}
