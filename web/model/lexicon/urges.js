// Frames: requests, offers and questions with the predicates: "don't spill the coffee!", "why is he laughing?".
import { fill, infinitive, joinedTo, said } from './doings.js';
import { chance, elided, pick } from './phrases.js';
import { ofPeople } from './predicates.js';
import { split } from './times.js';

const imperative = (forms, person) => {
  const form = forms.present[person];
  if (forms.infinitive === 'aller' && person === 1) return 'va';
  return person === 1 && /(es|vres)$/.test(form) ? form.slice(0, -1) : form;
};
const questions = split('why=pourquoi, when=quand, where=où');
const ownPronoun = { 1: 'toi', 3: 'nous', 4: 'vous' };

/** "Don't spill the coffee!", "let's set the table", "will you mop the floor?". */
export function urges(random) {
  const predicate = pick(random, ofPeople);
  const person = pick(random, [1, 1, 4]);
  const you = { english: 'you', french: person === 1 ? 'tu' : 'vous', person };
  const what = infinitive(you, predicate);
  const forms = predicate.french;
  const after = fill(predicate.after, you);
  const bare = `${after}`.replace(/^(du |de la |de l'|des |une |un )(.*)$/, (whole, _, x) =>
    predicate.indefinite ? joinedTo('de', x) : whole,
  );
  const draw = random();
  const order = imperative(forms, person);
  const mark = pick(random, ['.', '!']);
  if (draw < 0.25) {
    const own = forms.reflexive ? `-${ownPronoun[person]}` : '';
    const please = chance(random, 0.3);
    const polite = person === 1 ? ", s'il te plaît" : ", s'il vous plaît";
    return {
      english: `${what.english}${please ? ', please' : ''}`,
      french: `${order}${own} ${after}`.trim() + (please ? polite : ''),
      mark,
    };
  }
  if (draw < 0.4) {
    const core = !forms.reflexive ? order : person === 1 ? elided('te', order) : `vous ${order}`;
    return {
      english: `don't ${what.english}`,
      french: `${elided('ne', core)} pas ${bare}`.trim(),
      mark,
    };
  }
  if (draw < 0.5) {
    const us = { english: 'we', french: 'nous', person: 3 };
    const rest = fill(predicate.after, us);
    return {
      english: `let's ${infinitive(us, predicate).english}`,
      french: `${forms.present[3]}${forms.reflexive ? '-nous' : ''} ${rest}`.trim(),
      mark: pick(random, ['.', '!']),
    };
  }
  const ask = (english, tu, vous) => ({
    english: `${english} ${what.english}`,
    french: `${person === 1 ? tu : vous} ${what.french}`,
    mark: '?',
  });
  if (draw < 0.75)
    return pick(random, [
      () => ask('can you', 'peux-tu', 'pouvez-vous'),
      () => ask('could you', 'pourrais-tu', 'pourriez-vous'),
      () => ask('would you like to', 'voudrais-tu', 'voudriez-vous'),
      () => ask('do you want to', 'veux-tu', 'voulez-vous'),
      () => ask('will you', 'vas-tu', 'allez-vous'),
      () => ask('do you have to', 'dois-tu', 'devez-vous'),
      () => ask('why do you want to', 'pourquoi veux-tu', 'pourquoi voulez-vous'),
      () => ask('when are you going to', 'quand vas-tu', 'quand allez-vous'),
    ])();
  if (draw < 0.88) {
    const who = { english: 'who', french: 'qui', person: 2 };
    if (/\{/.test(predicate.rest)) return urges(random);
    const tense = pick(random, [
      ['past', 'past'],
      ['progressive', 'present'],
      ['present', 'present'],
      ['soon', 'soon'],
    ]);
    return { ...said(who, predicate, tense), mark: '?' };
  }
  const he = pick(random, [
    { english: 'he', french: 'il', person: 2 },
    { english: 'she', french: 'elle', person: 2, feminine: true },
    { english: 'they', french: 'ils', person: 5, plural: true },
  ]);
  const [why, pourquoi] = pick(random, questions);
  const rest = fill(predicate.rest, he);
  if (chance(random, 0.5)) {
    const told = said(he, predicate, ['past', 'past']).french;
    return {
      english: `${why} did ${he.english} ${predicate.english.base} ${rest}`.trim(),
      french: `${pourquoi} ${inverted(told)}`,
      mark: '?',
    };
  }
  const now_ = said(he, predicate, ['progressive', 'present']);
  return {
    english: `${why} ${he.person === 5 ? 'are' : 'is'} ${now_.english.replace(/ (is|are)(?= )/, '')}`,
    french: `${pourquoi} est-ce ${elided('que', now_.french)}`,
    mark: '?',
  };
}

/** "il a lu" as "a-t-il lu". */
const inverted = (french) =>
  french.replace(
    /^(ils?|elle) (s'|se )?(\S+)/,
    (_, pronoun, itself = '', verb_) =>
      `${itself}${verb_}-${/[ae]$/.test(verb_) ? 't-' : ''}${pronoun}`,
  );
