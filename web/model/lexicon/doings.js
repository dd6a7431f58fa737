// Frames: what somebody or something does, by the predicates, with adverbs and in all tenses.
import { ofKind } from './clauses.js';
import { readNouns } from './nouns.js';
import {
  chance,
  elided,
  englishClause,
  frenchClause,
  infinitiveOf,
  phrase,
  pick,
} from './phrases.js';
import { ofAnimals, ofPeople, ofThings, plants } from './predicates.js';
import { animal, someone } from './subjects.js';
import { before, habits, later, now, split } from './times.js';

const persons = {
  '{my}': ['my', 'your', 'his', 'our', 'your', 'their'],
  '{mon}': ['mon', 'ton', 'son', 'notre', 'votre', 'leur'],
  '{ma}': ['ma', 'ta', 'sa', 'notre', 'votre', 'leur'],
  '{mes}': ['mes', 'tes', 'ses', 'nos', 'vos', 'leurs'],
};
export const fill = (text, { person, feminine, isThing }) =>
  text.replace(/\{\w+\}/g, (place) => {
    if (place !== '{my}' || person !== 2) return persons[place][person];
    return isThing ? 'its' : feminine ? 'her' : 'his';
  });

const flora = readNouns(plants);
const skies = readNouns('sun=soleil m, moon=lune f, fog=brouillard m, wind=vent m');
const indefinites = split(
  "somebody=quelqu'un, everybody=tout le monde, someone=quelqu'un, everyone=tout le monde",
);

/** Somebody, now and then "everybody". */
export const anyone = (random) => {
  if (chance(random, 0.95)) return someone(random);
  const [english, french] = pick(random, indefinites);
  return { english, french, person: 2 };
};

/** A subject and a predicate that suit each other. */
export function suited(random, share = 0.7) {
  const draw = random();
  if (draw < share) return { subject: anyone(random), predicate: pick(random, ofPeople) };
  if (draw < share + (1 - share) * 0.4)
    return { subject: { ...animal(random), isThing: true }, predicate: pick(random, ofAnimals) };
  const kind = pick(random, Object.keys(ofThings));
  const noun =
    kind === 'plant' ? pick(random, flora) : kind === 'weather' ? pick(random, skies) : null;
  const determiners = ['the', 'the', 'own', 'this'];
  const subject = noun
    ? phrase(random, kind === 'plant' ? 'house' : kind, noun, {
        determiners: kind === 'plant' ? determiners : ['the'],
        described: kind === 'plant' ? 0.5 : 0,
        plural: kind === 'plant' ? chance(random, 0.5) : false,
      })
    : ofKind(random, kind, { determiners, described: 0.4 });
  return { subject: { ...subject, isThing: true }, predicate: pick(random, ofThings[kind]) };
}

const isState = ({ english: { base }, rest }) =>
  /^(smell|taste|cost|belong|weigh|need|believe|remember|hate|live|stay)$/.test(base) ||
  /^(come from|lie on|hang in|stand in|stand on|sleep well|sleep badly)/.test(`${base} ${rest}`);

/** The clause in given tenses; `more` goes to the options of both languages. */
export function said(subject, predicate, [english, french], more = {}) {
  const { when = ['', ''], verb = predicate.english, negation, adverb, negative, yet = '' } = more;
  const rest = [fill(predicate.rest, subject), yet, when[0]].filter(Boolean).join(' ');
  return {
    english: englishClause(subject, verb, english, { negative: negative ?? false, rest }),
    french: frenchClause(subject, predicate.french, french, {
      negative: Boolean(negation) || (negative ?? false),
      negation,
      adverb,
      object: { french: fill(predicate.after, subject), indefinite: predicate.indefinite },
      rest: when[1],
    }),
  };
}

export const infinitive = (subject, { english, rest, french, after }) => ({
  english: [english.base, fill(rest, subject)].filter(Boolean).join(' '),
  ing: [english.ing, fill(rest, subject)].filter(Boolean).join(' '),
  french: [infinitiveOf(french, subject.person), fill(after, subject)].filter(Boolean).join(' '),
});

const adverbs = split(
  'always=toujours, often=souvent, sometimes=parfois, rarely=rarement, usually=généralement, never=!jamais, no longer=!plus',
);

const maybe = (random, share, list) => (chance(random, share) ? pick(random, list) : ['', '']);

export function does(random) {
  const { subject, predicate } = suited(random);
  const state = isState(predicate);
  const draw = random();
  if (draw < 0.14) {
    const [adverb, word] = pick(random, adverbs);
    const past = chance(random, 0.2);
    const { base, third } = predicate.english;
    const verb = {
      ...predicate.english,
      base: `${adverb} ${base}`,
      third: `${adverb} ${third}`,
      past: `${adverb} ${predicate.english.past}`,
    };
    const how = word.startsWith('!') ? { negation: word.slice(1) } : { adverb: word };
    return said(subject, predicate, past ? ['past', 'imperfect'] : ['present', 'present'], {
      verb,
      ...how,
    });
  }
  if (draw < 0.2 && !state) {
    const verb = predicate.english;
    return pick(random, [
      () =>
        said(subject, predicate, ['perfect', 'past'], {
          verb: { ...verb, participle: `already ${verb.participle}` },
          adverb: 'déjà',
        }),
      () =>
        said(subject, predicate, ['perfect', 'past'], {
          verb: { ...verb, participle: `never ${verb.participle}` },
          negation: 'jamais',
        }),
      () =>
        said(subject, predicate, ['perfect', 'past'], {
          negative: true,
          negation: 'pas encore',
          yet: 'yet',
        }),
      () =>
        said(subject, predicate, ['progressive', 'present'], {
          verb: { ...verb, ing: `still ${verb.ing}` },
          adverb: 'encore',
        }),
      () =>
        said(subject, predicate, ['present', 'present'], {
          negative: true,
          negation: 'plus',
          yet: 'anymore',
        }),
    ])();
  }
  const negative = chance(random, 0.14);
  if (state)
    return said(
      subject,
      predicate,
      pick(random, [
        ['present', 'present'],
        ['present', 'present'],
        ['past', 'imperfect'],
        ['future', 'future'],
      ]),
      { negative },
    );
  const [english, french, times] = pick(random, [
    ['present', 'present', habits],
    ['progressive', 'present', now],
    ['past', 'past', before],
    ['past', 'past', before],
    ['past', 'past', before],
    ['perfect', 'past', null],
    ['wasDoing', 'imperfect', null],
    ['future', 'future', later],
    ['soon', 'soon', later],
  ]);
  return said(subject, predicate, [english, french], {
    negative,
    when: times ? maybe(random, 0.4, times) : ['', ''],
  });
}

/** "à", "de" or nothing before an infinitive. */
export const joinedTo = (preposition, word) =>
  preposition === 'de' ? elided('de', word) : `${preposition} ${word}`.trim();
