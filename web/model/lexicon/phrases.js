// Noun phrases and clauses put together from the lexicon: agreement, elision, contraction, negation.
import { adjectives, agree } from './adjectives.js';
import { auxiliary, french as conjugated, futureOf, imperfectOf } from './conjugate.js';
import { elides, englishPlural, frenchPlural } from './nouns.js';

export const pick = (random, list) => list[Math.floor(random() * list.length)];
export const chance = (random, share) => random() < share;

const vowel = (text) => /^[aeiouyhàâéèêëîïôöùûüœ]/i.test(text);
const a = (english) =>
  /^(hour|honest|heir)/i.test(english) ||
  (/^[aeiou]/i.test(english) && !/^(un[ií]|use|euro|one|europ)/i.test(english))
    ? `an ${english}`
    : `a ${english}`;

/** "le chat" as "du chat", "l'eau" as "de l'eau", "Alice" as "d'Alice". */
export const of = (phrase) =>
  phrase.startsWith('le ')
    ? `du ${phrase.slice(3)}`
    : phrase.startsWith('les ')
      ? `des ${phrase.slice(4)}`
      : /^(des|du|de la|de l')/.test(phrase)
        ? phrase
        : elides(phrase)
          ? `d'${phrase}`
          : `de ${phrase}`;

export const to = (phrase) =>
  phrase.startsWith('le ')
    ? `au ${phrase.slice(3)}`
    : phrase.startsWith('les ')
      ? `aux ${phrase.slice(4)}`
      : `à ${phrase}`;

export const small = [
  ['two', 'deux'],
  ['three', 'trois'],
  ['four', 'quatre'],
  ['five', 'cinq'],
  ['six', 'six'],
  ['seven', 'sept'],
  ['eight', 'huit'],
  ['nine', 'neuf'],
  ['ten', 'dix'],
  ['eleven', 'onze'],
  ['twelve', 'douze'],
  ['thirteen', 'treize'],
  ['fifteen', 'quinze'],
  ['twenty', 'vingt'],
  ['thirty', 'trente'],
  ['forty', 'quarante'],
  ['fifty', 'cinquante'],
  ['sixty', 'soixante'],
  ['a hundred', 'cent'],
  ['a thousand', 'mille'],
  ['several', 'plusieurs'],
  ['a few', 'quelques'],
  ['many', 'beaucoup de'],
  ['a lot of', 'beaucoup de'],
  ['some', 'quelques'],
];

const owners = [
  ['my', 'mon', 'ma', 'mes'],
  ['your', 'ton', 'ta', 'tes'],
  ['his', 'son', 'sa', 'ses'],
  ['her', 'son', 'sa', 'ses'],
  ['our', 'notre', 'notre', 'nos'],
  ['your', 'votre', 'votre', 'vos'],
  ['their', 'leur', 'leur', 'leurs'],
];

const adjectiveKinds = {
  family: ['person'],
  person: ['person', 'person', 'size'],
  animal: ['colour', 'animal', 'size'],
  food: ['food', 'colour', 'size'],
  thing: ['thing', 'colour', 'colour', 'size'],
  clothes: ['colour', 'colour', 'thing', 'size'],
  pairs: ['colour', 'colour', 'size'],
  house: ['colour', 'size'],
  vehicle: ['colour', 'colour', 'size', 'thing'],
  place: ['place', 'size', 'colour'],
};
const barred = {
  clothes: /^(hard|full|empty|square|round|fragile|wooden|plastic|metal|glass|sharp|electric)/,
  vehicle: /^(soft|round|square|sharp|glass|full|woollen|thin|thick|fragile|hard)/,
  person: /^(big|large|huge|tiny|new|little|small)/,
  thing: /^(soft|full|woollen|electric)/,
};

function describe(random, kind, count) {
  const chosen = [];
  for (const list of adjectiveKinds[kind] ?? []) {
    if (chosen.length >= count) break;
    const adjective = pick(
      random,
      adjectives[pick(random, adjectiveKinds[kind])] ?? adjectives[list],
    );
    const twice = chosen.some((other) => Boolean(other.before) === Boolean(adjective.before));
    if (!twice && !barred[kind]?.test(adjective.english)) chosen.push(adjective);
  }
  return chosen.sort((x, y) => Number(Boolean(y.before)) - Number(Boolean(x.before)));
}

/** noun with adjectives, without a determiner: { english, french, feminine, plural } */
function group(noun, list, plural) {
  const { feminine } = noun;
  let french = plural ? frenchPlural(noun) : noun.french;
  for (const adjective of list) {
    const form = agree(adjective, { feminine, plural, beforeVowel: elides(french) });
    french = adjective.before ? `${form} ${french}` : `${french} ${form}`;
  }
  const english = [
    ...list.map((adjective) => adjective.english),
    plural ? englishPlural(noun) : noun.english,
  ].join(' ');
  return { english, french, feminine, plural, isBefore: list.some(({ before }) => before) };
}

const article = (french, feminine) =>
  elides(french) ? `l'${french}` : `${feminine ? 'la' : 'le'} ${french}`;

/** What stands before a group. kinds of determiner: the, a, own, this, number, none (general plural). */
function determined(random, words, kind) {
  const { english, french, feminine, plural } = words;
  switch (kind) {
    case 'the':
      return {
        ...words,
        english: `the ${english}`,
        french: plural ? `les ${french}` : article(french, feminine),
      };
    case 'a':
      return plural
        ? {
            ...words,
            english: chance(random, 0.6) ? english : `some ${english}`,
            french: `${words.isBefore ? 'de' : 'des'} ${french}`.replace(/^de (?=[aeéio])/, "d'"),
            indefinite: true,
          }
        : {
            ...words,
            english: a(english),
            french: `${feminine ? 'une' : 'un'} ${french}`,
            indefinite: true,
          };
    case 'own': {
      const [owner, masculine, feminineForm, plurals] = pick(random, owners);
      const form = plural ? plurals : feminine && !elides(french) ? feminineForm : masculine;
      return { ...words, english: `${owner} ${english}`, french: `${form} ${french}` };
    }
    case 'this': {
      const near = chance(random, 0.6);
      if (plural)
        return {
          ...words,
          english: `${near ? 'these' : 'those'} ${english}`,
          french: `ces ${french}`,
        };
      const form = feminine ? 'cette' : elides(french) ? 'cet' : 'ce';
      return {
        ...words,
        english: `${near ? 'this' : 'that'} ${english}`,
        french: `${form} ${french}`,
      };
    }
    case 'number': {
      const [from, to_] = chance(random, 0.7)
        ? pick(random, small)
        : [2 + Math.floor(random() ** 2 * 998), 0].map(String);
      const number = to_ === '0' ? from : to_;
      return {
        ...words,
        english: `${from} ${english}`,
        french: `${number} ${french}`.replace(/\bde (?=[aeéèêiouœ])/, "d'"),
        counted: true,
      };
    }
    default:
      return { ...words, french: `les ${french}` };
  }
}

/** A noun phrase of a kind. */
export function phrase(
  random,
  kind,
  noun,
  {
    determiners = ['the', 'the', 'a', 'a', 'own', 'this', 'number'],
    described = 0.45,
    plural,
  } = {},
) {
  const determiner = pick(random, determiners);
  const isPlural =
    plural ??
    (determiner === 'number' ||
      determiner === 'general' ||
      (kind === 'pairs' && chance(random, 0.8)) ||
      chance(random, 0.25));
  const isFamily = kind === 'family';
  const count = chance(random, described) ? (chance(random, 0.2) ? 2 : 1) : 0;
  const words = group(
    noun,
    describe(random, kind, isFamily && count > 0 ? 0 : count),
    isPlural || determiner === 'number',
  );
  return {
    ...determined(random, words, isFamily && determiner === 'the' ? 'own' : determiner),
    noun,
    person: words.plural ? 5 : 2,
  };
}

/** Something that has no number: "de l'eau", "le pain". */
export function substance(
  random,
  noun,
  { determiner = pick(random, ['some', 'some', 'the', 'own', 'none']) } = {},
) {
  const { english, french, feminine } = noun;
  const plural = /(épinards|pâtes|fruits)$/.test(french);
  const words = { english, french, feminine, plural };
  const result = { ...words, noun, person: plural ? 5 : 2 };
  if (determiner === 'the' || determiner === 'own')
    return { ...result, ...determined(random, words, determiner) };
  const part = plural
    ? `des ${french}`
    : elides(french)
      ? `de l'${french}`
      : `${feminine ? 'de la' : 'du'} ${french}`;
  return {
    ...result,
    english: determiner === 'some' ? `some ${english}` : english,
    french: part,
    indefinite: true,
  };
}

/** After "pas": "de pain", "d'eau" for what is indefinite. */
const afterNot = ({ french, indefinite }) => {
  if (!indefinite) return french;
  const bare = french.replace(/^(du |de la |de l'|des |de |d'|une |un )/, '');
  return elides(bare) ? `d'${bare}` : `de ${bare}`;
};

export const agreeing = (participle, { feminine, plural }) =>
  `${participle}${feminine ? 'e' : ''}${plural && !participle.endsWith('s') ? 's' : plural && feminine ? 's' : ''}`;

const me = ['me', 'te', 'se', 'nous', 'vous', 'se'];
/** "ne", "de", "que" and their like before the next word. */
export const elided = (word, next) =>
  word.endsWith('e') && vowel(next) && !/^(hu|ha[iïur]|yaourt|onze)/i.test(next)
    ? `${word.slice(0, -1)}'${next}`
    : `${word} ${next}`;

/** "lire", "se lever" as "me lever". */
export const infinitiveOf = (verb, person) =>
  verb.reflexive ? elided(me[person], verb.infinitive) : verb.infinitive;

/**
 * A French clause: subject, verb and object in their places.
 * negation: "pas", "plus", "jamais"; adverb: what stands after the finite verb.
 * tense: present, past (passé composé), imperfect, future, soon (aller + infinitive), or { modal: infinitive }.
 */
export function frenchClause(
  subject,
  verb,
  tense,
  { negative = false, negation = 'pas', adverb = '', object, rest = '' } = {},
) {
  const { person } = subject;
  const infinitive = () => infinitiveOf(verb, person);
  let finite;
  let after = '';
  if (tense === 'present') finite = verb.present[person];
  else if (tense === 'imperfect') finite = imperfectOf(verb, person);
  else if (tense === 'future') finite = futureOf(verb, person);
  else if (tense === 'past') {
    finite = auxiliary(verb, person);
    after = verb.isBe && !verb.isUnchanged ? agreeing(verb.participle, subject) : verb.participle;
  } else if (tense === 'soon') {
    finite = conjugated('aller').present[person];
    after = infinitive();
  } else {
    const modal = conjugated(tense.modal);
    finite = tense.conditional
      ? modal.future + imperfectOf(modal, person).slice(modal.imperfect.length)
      : modal.present[person];
    after = infinitive();
  }
  const compound = tense === 'soon' || tense.modal;
  const pronoun = verb.reflexive && !compound ? me[person] : '';
  let core = pronoun
    ? pronoun.endsWith('e')
      ? elided(pronoun, finite)
      : `${pronoun} ${finite}`
    : finite;
  if (negative) core = `${elided('ne', core)} ${negation}`.trim();
  if (adverb) core = `${core} ${adverb}`;
  const subjectText = subject.french === 'je' ? elided('je', core) : `${subject.french} ${core}`;
  const objectText = object
    ? negative && !compound
      ? afterNot(object)
      : negative
        ? afterNot(object)
        : object.french
    : '';
  return [subjectText, after, objectText, rest].filter(Boolean).join(' ');
}

const be = {
  present: ['am', 'are', 'is', 'are', 'are', 'are'],
  past: ['was', 'were', 'was', 'were', 'were', 'were'],
};

/** Its English: tense is present, progressive, past, perfect, wasDoing, usedTo, future, soon, or { modal }. */
export function englishClause(subject, verb, tense, { negative = false, object, rest = '' } = {}) {
  const { person, english: who } = subject;
  const not = (helper, contracted) => (negative ? (contracted ?? `${helper} not`) : helper);
  const third = person === 2;
  let words;
  if (tense === 'present')
    words = negative
      ? `${third ? "doesn't" : "don't"} ${verb.base}`
      : third
        ? verb.third
        : verb.base;
  else if (tense === 'progressive') words = `${not(be.present[person])} ${verb.ing}`;
  else if (tense === 'past') words = negative ? `didn't ${verb.base}` : verb.past;
  else if (tense === 'perfect')
    words = `${not(third ? 'has' : 'have', third ? "hasn't" : "haven't")} ${verb.participle}`;
  else if (tense === 'wasDoing')
    words = `${not(be.past[person], `${be.past[person]}n't`)} ${verb.ing}`;
  else if (tense === 'future') words = `${negative ? "won't" : 'will'} ${verb.base}`;
  else if (tense === 'soon') words = `${not(be.present[person])} going to ${verb.base}`;
  else words = `${negative ? tense.negated(third) : tense.english(third)} ${verb.base}`;
  const something = object && negative ? object.english.replace(/^some /, 'any ') : object?.english;
  return [who, words, something, rest].filter(Boolean).join(' ');
}
