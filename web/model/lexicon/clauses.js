// Parts of frames: a noun of a kind, a verb with its object in some tense, what something is.
import { french as inFrench } from './conjugate.js';
import { nouns } from './nouns.js';
import { chance, englishClause, frenchClause, phrase, pick } from './phrases.js';
import { rest, spots, tenseOf } from './times.js';

export const things = [
  'thing',
  'thing',
  'clothes',
  'food',
  'vehicle',
  'animal',
  'house',
  'place',
  'person',
];

export const anything = (random, options) => {
  const kind = pick(random, things);
  return phrase(random, kind, pick(random, nouns[kind]), options);
};

export const ofKind = (random, kind, options) =>
  phrase(random, kind, pick(random, nouns[kind]), options);

/** Subject and verb with or without an object, in some tense, perhaps negative. */
export function clause(random, subject, verb, object, lists) {
  const tense = tenseOf(random, verb);
  const negative = !tense.onlyAffirmed && chance(random, 0.15);
  const more = rest(random, [...(lists ?? [spots]), tense.when]);
  const counted = object?.counted && negative;
  return {
    english: englishClause(subject, verb.english, tense.english, {
      negative: negative && !counted,
      object,
      rest: more.english,
    }),
    french: frenchClause(subject, verb.french, tense.french, {
      negative: negative && !counted,
      object,
      rest: more.french,
    }),
  };
}

export function objectOf(random, verb) {
  const kind = pick(random, verb.kinds);
  const general = /^(like|love|hate)$/.test(verb.english.base)
    ? ['general', 'general', 'the', 'own', 'this']
    : undefined;
  const finish = /^(read|write|understand|remember|tell|explain)$/.test(verb.english.base);
  return phrase(random, kind, pick(random, nouns[kind]), {
    determiners: finish ? ['the', 'own', 'this', 'a'] : general,
    described: 0.5,
  });
}

export const isForms = {
  present: ['am', 'are', 'is', 'are', 'are', 'are'],
  past: ['was', 'were', 'was', 'were', 'were', 'were'],
};

export const be = inFrench('être');

export const have = inFrench('avoir');

export function is(random, subject, said, frenchSaid) {
  const past = chance(random, 0.3);
  const negative = chance(random, 0.15);
  const english = `${subject.english} ${isForms[past ? 'past' : 'present'][subject.person]}${negative ? ' not' : ''} ${said}`;
  return {
    english,
    french: frenchClause(subject, be, past ? 'imperfect' : 'present', {
      negative,
      rest: frenchSaid,
    }),
  };
}
