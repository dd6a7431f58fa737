// node web/model/pronouns.js [--beam N] [--weights FILE]
// Pairs of sentences that differ in a word or two and change which noun "it", "they" or "them" stands for
// (referent_pairs.json): the two nouns have different genders in French, so the pronoun tells which one the
// translation took. A sentence is right if it has the expected pronoun and no form of the other gender after it; a
// pair is right if both of its sentences are.
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
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}-]+/gu) ?? [];
const otherGender = { il: 'elle', elle: 'il', ils: 'elles', elles: 'ils', le: 'la', la: 'le' };

/** Position of the last of the pronouns, in words, or -1. */
const placeOf = (words, pronouns) => words.findLastIndex((word) => pronouns.includes(word));

/** "il" or "elle": the last pronoun that is a subject; "l'": told by the participle after it. */
function isRight({ pronoun, agrees }, opposite, text) {
  const words = wordsOf(text);
  const forms = (list) => (list ? list.split('|') : []);
  const own = forms(agrees);
  const others = opposite.filter((word) => !own.includes(word));
  if (['le', 'la'].includes(pronoun)) {
    const last = words.slice(placeOf(words, ['le', 'la', 'l']));
    return own.some((form) => last.includes(form)) && !others.some((form) => last.includes(form));
  }
  const place = placeOf(words, [pronoun, otherGender[pronoun]]);
  const after = words.slice(place + 1);
  return words[place] === pronoun && !others.some((form) => after.includes(form));
}

/** The same words with the other gender: what must not follow. */
function otherForms(agrees = '') {
  return agrees.split('|').flatMap((form) => {
    const plural = /s$/.test(form) && form !== 'bas' && form !== 'épais' ? 's' : '';
    const bare = plural ? form.slice(0, -1) : form;
    const pairs = { gros: 'grosse', bas: 'basse', épais: 'épaisse', vieux: 'vieille' };
    const back = Object.fromEntries(Object.entries(pairs).map(([m, f]) => [f, m]));
    const other =
      pairs[bare] ??
      back[bare] ??
      (bare === 'chère'
        ? 'cher'
        : bare === 'ancien'
          ? 'ancienne'
          : /(ée|ie|te|de|ue|ne|rte|se|le|che)$/.test(bare) && isFeminine(bare)
            ? bare.slice(0, -1)
            : isFeminine(bare)
              ? bare
              : `${bare}e`);
    return other === bare ? [] : [other + plural];
  });
}
const alike = new Set(['large', 'malade', 'vide', 'sale', 'aveugle', 'faible', 'mince']);
const isFeminine = (form) => form.endsWith('e') && !alike.has(form);

/** Probabilities of the two pronouns where the translation has one of them, after the words before it. */
function probabilities({ english, pronoun }, text) {
  if (['le', 'la'].includes(pronoun)) return '';
  const either = [pronoun, otherGender[pronoun]];
  const at = [...text.matchAll(/[\p{L}-]+/gu)].findLast(([word]) => either.includes(word));
  if (!at) return '';
  const elided = text.slice(0, at.index).endsWith("'");
  const begin = text.slice(0, at.index).replace(/(?<=^|\s)\S+'$/, '');
  const words = translator.nextWords(english, { target: begin.trim(), count: 20 });
  const of = (word) =>
    words.find(({ text: found }) => found.trim() === (elided ? `qu'${word}` : word))?.probability;
  const percent = (share) => (share === undefined ? '–' : `${(100 * share).toFixed(1)} %`);
  return either.map((word) => `${word} ${percent(of(word))}`).join(', ');
}

const plain = { attention: false, beam: Number(values.beam) };
for (const [title, pairs] of Object.entries({ known, unseen })) {
  let rightPairs = 0;
  let rightSentences = 0;
  for (const pair of pairs) {
    const judged = pair.map((sentence, n) => {
      const { text } = translator.translate(sentence.english, plain);
      const opposite = otherForms(sentence.agrees);
      return { ...sentence, text, right: isRight(sentence, opposite, text), n };
    });
    rightSentences += judged.filter(({ right }) => right).length;
    if (judged.every(({ right }) => right)) rightPairs++;
    for (const one of judged)
      console.log(
        `${one.right ? 'right' : 'WRONG'}  ${one.english}  →  ${one.text}  (${probabilities(one, one.text)})`,
      );
  }
  console.log(
    `${title}: both sentences right in ${rightPairs} of ${pairs.length} pairs; ${rightSentences} of ${2 * pairs.length} sentences`,
  );
}
