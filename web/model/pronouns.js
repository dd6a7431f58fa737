// node web/model/pronouns.js [--beam N] [--weights FILE]
// Translates the sentence pairs of referent_pairs.json. The sentences of a pair differ in a word or two and change which
// noun "it", "they" or "them" stands for; the two nouns differ in gender, so the French pronoun shows the choice. A
// sentence is right if its last pronoun is the expected one and no later form disagrees with it; a pair is right if
// both of its sentences are. In brackets: the probability of each pronoun at that position.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadShipped } from './shipped.js';

const { values } = parseArgs({
  options: { beam: { type: 'string', default: '4' }, weights: { type: 'string' } },
});
const { known, unseen } = JSON.parse(
  readFileSync(new URL('referent_pairs.json', import.meta.url), 'utf8'),
);
const { translator } = await loadShipped(values.weights);
const options = { attention: false, beam: Number(values.beam) };
const otherGender = { il: 'elle', elle: 'il', ils: 'elles', elles: 'ils' };
const isObject = (pronoun) => pronoun === 'le' || pronoun === 'la';
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}-]+/gu) ?? [];

function isRight({ pronoun, agrees = [], disagrees = [] }, text) {
  const words = wordsOf(text);
  const pronouns = isObject(pronoun) ? ['le', 'la', 'l'] : [pronoun, otherGender[pronoun]];
  const position = words.findLastIndex((word) => pronouns.includes(word));
  const after = words.slice(position + 1);
  if (position === -1 || disagrees.some((form) => after.includes(form))) return false;
  // "l'" has no gender: the participle has.
  const [found] = words.slice(position);
  return found === 'l' ? agrees.some((form) => after.includes(form)) : found === pronoun;
}

/** "il 98.1 %, elle 1.2 %" after the words before the pronoun; empty for objects. */
function probabilities({ english, pronoun }, text) {
  if (isObject(pronoun)) return '';
  const either = [pronoun, otherGender[pronoun]];
  const found = [...text.matchAll(/\p{L}+/gu)].findLast(([word]) =>
    either.includes(word.toLowerCase()),
  );
  if (!found) return '';
  const next = translator.nextWords(english, { target: text.slice(0, found.index), count: 4 });
  const percent = (word) => {
    const one = next.find(({ text: other }) => other.toLowerCase() === word);
    return one ? `${(100 * one.probability).toFixed(1)} %` : 'not in the first four';
  };
  return either.map((word) => `${word} ${percent(word)}`).join(', ');
}

for (const [title, pairs] of Object.entries({ known, unseen })) {
  const judged = pairs.map((pair) =>
    pair.map((sentence) => {
      const { text } = translator.translate(sentence.english, options);
      const right = isRight(sentence, text);
      const said = probabilities(sentence, text);
      console.log(
        `${right ? 'right' : 'WRONG'}  ${sentence.english}  →  ${text}${said && `  (${said})`}`,
      );
      return right;
    }),
  );
  const bothRight = judged.filter((pair) => pair.every(Boolean)).length;
  const sentences = judged.flat();
  console.log(
    `${title}: both sentences right in ${bothRight} of ${pairs.length} pairs, ` +
      `${sentences.filter(Boolean).length} of ${sentences.length} sentences right`,
  );
}
