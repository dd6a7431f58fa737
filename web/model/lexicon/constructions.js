// Frames: "while doing", directions, two things of different gender, towns and countries, changes and preferences.
import { agree } from './adjectives.js';
import { isForms, ofKind } from './clauses.js';
import { anyone, fill, said } from './doings.js';
import { adjectiveFor } from './long_subjects.js';
import { otherNames } from './names.js';
import { elides, nouns } from './nouns.js';
import { chance, frenchClause, of, pick } from './phrases.js';
import { ofPeople } from './predicates.js';
import { someone } from './subjects.js';
import { split } from './times.js';
import { countries, inventedPlace } from './words.js';

const past = ['past', 'past'];
/** "She fell asleep while reading the newspaper", "by turning off the lamp". */
export function whileDoing(random) {
  const subject = anyone(random);
  const [one, other] = [
    pick(random, ofPeople),
    pick(
      random,
      ofPeople.filter(({ french }) => !french.reflexive),
    ),
  ];
  const main = said(subject, one, pick(random, [past, past, ['progressive', 'present']]));
  const participle = other.french.infinitive === 'avoir' ? 'ayant' : `${other.french.imperfect}ant`;
  return {
    english: `${main.english} ${pick(random, ['while', 'while', 'by'])} ${[other.english.ing, fill(other.rest, subject)].filter(Boolean).join(' ')}`,
    french: `${main.french} en ${[participle, fill(other.after, subject)].filter(Boolean).join(' ')}`,
  };
}

const orders = split(
  'turn left=tourne à gauche=tournez à gauche, turn right=tourne à droite=tournez à droite, go straight on=va tout droit=allez tout droit, go straight ahead=continue tout droit=continuez tout droit, wait=attends=attendez, stop=arrête-toi=arrêtez-vous, take the first street on the left=prends la première rue à gauche=prenez la première rue à gauche, take the second street on the right=prends la deuxième rue à droite=prenez la deuxième rue à droite, cross the street=traverse la rue=traversez la rue',
);
const marks = split(
  'after=après, before=avant, near=près de_, in front of=devant, behind=derrière, opposite=en face de_',
);

export function directions(random) {
  const [english, tu, vous] = pick(random, orders);
  const [at, à] = pick(random, marks);
  const place = ofKind(random, 'place', { determiners: ['the'], described: 0.1, plural: false });
  const there = à.endsWith('_')
    ? `${à.replace(/ ?de_$/, '')} ${of(place.french)}`
    : `${à} ${place.french}`;
  return {
    english: `${english} ${at} ${place.english}`,
    french: `${pick(random, [tu, vous])} ${there}`,
    mark: pick(random, ['.', '.', '!']),
  };
}

/** "The sea was calm and the sky was grey": each adjective agrees with its own noun. */
export function twoThings(random) {
  const kind = pick(random, ['thing', 'clothes', 'pairs', 'house', 'vehicle', 'animal', 'food']);
  const [one, other] = [0, 1].map(() =>
    ofKind(random, kind, {
      determiners: ['the', 'the', 'own'],
      described: 0,
      plural: chance(random, 0.25),
    }),
  );
  const [first, second] = [adjectiveFor(random, kind), adjectiveFor(random, kind)];
  const [tense, forms] = pick(random, [
    ['present', ['est', 'sont']],
    ['past', ['était', 'étaient']],
  ]);
  const half = ({ english, french, person, ...traits }, adjective) => [
    `${english} ${isForms[tense][person]} ${adjective.english}`,
    `${french} ${forms[Number(person === 5)]} ${agree(adjective, traits)}`,
  ];
  const [a, b] = [half(one, first), half(other, second)];
  const [and, et] = pick(random, split('and=et, but=mais'));
  const comma = and === 'but' ? ',' : '';
  return { english: `${a[0]}${comma} ${and} ${b[0]}`, french: `${a[1]}${comma} ${et} ${b[1]}` };
}

export function places(random) {
  const town = chance(random, 0.5) ? inventedPlace(random) : pick(random, otherNames.slice(0, 13));
  const [country, there] = pick(random, countries);
  const year = 1800 + Math.floor(random() * 226);
  const subject = someone(random);
  const was = isForms.past[subject.person];
  const born = frenchClause(subject, { present: [], participle: 'né', isBe: true }, 'past', {
    rest: `à ${town} en ${year}`,
  });
  return pick(random, [
    { english: `${subject.english} ${was} born in ${town} in ${year}`, french: born },
    {
      english: `have you ever been to ${country}`,
      french: `${pick(random, ['es-tu déjà allé', 'êtes-vous déjà allé'])} ${there}`,
      mark: '?',
    },
    { english: `I have never been to ${country}`, french: `je ne suis jamais allé ${there}` },
    {
      english: `the train to ${town} leaves in ten minutes`,
      french: `le train pour ${town} part dans dix minutes`,
    },
    {
      english: `she moved from ${town} to ${country}`,
      french: `elle a déménagé de ${town} ${there}`,
      skip: /^[AEIOUYÉ]/.test(town),
    },
    {
      english: `the school in ${town} was built in ${year}`,
      french: `l'école de ${town} a été construite en ${year}`,
      skip: /^[AEIOUYÉ]/.test(town),
    },
  ]);
}

const turns = split(
  'turn red=rougir, turn yellow=jaunir, turn white=blanchir, grow old=vieillir, get fat=grossir, grow=grandir, turn green=verdir, get thinner=maigrir',
);

/** "The leaves turn yellow in autumn"; "I would rather drink tea than coffee". */
export function changes(random) {
  if (chance(random, 0.5)) {
    const [english, french] = pick(random, turns);
    const kind = /grow|get/.test(english) ? pick(random, ['animal', 'person']) : 'food';
    const subject = ofKind(random, kind, {
      determiners: ['the', 'own'],
      described: 0.2,
      plural: chance(random, 0.5),
    });
    const [base, ...rest] = english.split(' ');
    const third = subject.person === 2 ? `${base}s` : base;
    const verb = `${french.slice(0, -2)}${subject.person === 2 ? 'it' : 'issent'}`;
    return {
      english: [subject.english, third, ...rest].join(' '),
      french: `${subject.french} ${verb}`,
    };
  }
  const kind = pick(random, ['drink', 'mass']);
  const [one, other] = [pick(random, nouns[kind]), pick(random, nouns[kind])];
  if (one === other) return changes(random);
  const some = (x) =>
    elides(x.french) ? `de l'${x.french}` : `${x.feminine ? 'de la' : 'du'} ${x.french}`;
  const the = (x) =>
    elides(x.french) ? `l'${x.french}` : `${x.feminine ? 'la' : 'le'} ${x.french}`;
  const [verb, boire] = kind === 'drink' ? ['drink', 'boire'] : ['eat', 'manger'];
  const plain = [one, other].every(({ french }) => !/s$/.test(french));
  return pick(random, [
    {
      english: `I would rather ${verb} ${one.english} than ${other.english}`,
      french: `je préférerais ${boire} ${some(one)} plutôt que ${some(other)}`,
      skip: !plain,
    },
    {
      english: `I'd rather have ${one.english}`,
      french: `je préférerais ${some(one)}`,
      skip: !plain,
    },
    {
      english: `I prefer ${one.english} to ${other.english}`,
      french: `je préfère ${the(one)} ${`à ${the(other)}`.replace('à le ', 'au ')}`,
      skip: !plain,
    },
    {
      english: `would you like some more ${one.english}`,
      french: `${pick(random, ['veux-tu', 'voulez-vous', 'voudrais-tu'])} encore un peu ${elides(one.french) ? `d'${one.french}` : `de ${one.french}`}`,
      mark: '?',
      skip: !plain,
    },
    {
      english: `there is no ${one.english} left`,
      french: `il n'y a plus ${elides(one.french) ? `d'${one.french}` : `de ${one.french}`}`,
    },
    {
      english: `do we have any ${one.english} left`,
      french: `est-ce qu'il nous reste ${some(one)}`,
      mark: '?',
      skip: !plain,
    },
  ]);
}
