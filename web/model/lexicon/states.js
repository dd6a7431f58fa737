// Frames: how and where somebody or something is.
import { adjectives, agree } from './adjectives.js';
import { be, have, is, isForms, ofKind } from './clauses.js';
import { french as inFrench } from './conjugate.js';
import { elides, englishPlural, frenchPlural, nouns } from './nouns.js';
import { chance, frenchClause, of, phrase, pick, to } from './phrases.js';
import { name, someone } from './subjects.js';
import { before, later, now, split } from './times.js';
import { countries } from './words.js';

export const intensities = [
  ...split('very=très, too=trop, really=vraiment, so=si, a bit=un peu, quite=assez'),
  ...Array(5).fill(['', '']),
];

export function isSo(random) {
  const person = chance(random, 0.45);
  const kind = person
    ? 'person'
    : pick(random, ['animal', 'thing', 'clothes', 'food', 'place', 'vehicle', 'pairs']);
  const lists = {
    person: ['person'],
    animal: ['animal', 'colour'],
    thing: ['thing', 'colour'],
    clothes: ['colour', 'size'],
    food: ['food', 'colour'],
    place: ['place'],
    vehicle: ['colour', 'thing'],
    pairs: ['colour'],
  }[kind];
  const list = pick(random, lists);
  const adjective = pick(random, adjectives[list]);
  const subject = person
    ? someone(random)
    : ofKind(random, kind, { determiners: ['the', 'own', 'this'], described: 0.25 });
  const form = agree(adjective, { ...subject, feminine: subject.feminine });
  const [more, plus] =
    list === 'colour' ||
    / /.test(adjective.masculine) ||
    /^(dead|broken|wooden|pregnant|French|Chinese|Italian|raw|plastic|metal|closed|open)/.test(
      adjective.english,
    )
      ? ['', '']
      : pick(random, intensities);
  return is(random, subject, `${more} ${adjective.english}`.trim(), `${plus} ${form}`.trim());
}

export const relations = split(
  `in=dans, on=sur, under=sous, behind=derrière, in front of=devant, next to=à côté de_, near=près de_, between the trees and=entre les arbres et, inside=à l'intérieur de_, far from=loin de_, beside=à côté de_, opposite=en face de_, above=au-dessus de_, below=au-dessous de_`,
);

export function isThere(random) {
  const [english, french] = pick(random, relations);
  const what = ofKind(
    random,
    pick(random, ['thing', 'animal', 'clothes', 'pairs', 'food', 'vehicle', 'person']),
    { determiners: ['the', 'the', 'own', 'this', 'a'] },
  );
  const kind = pick(
    random,
    /^(in|inside)$/.test(english)
      ? ['place']
      : /^(on|under)$/.test(english)
        ? ['house']
        : ['house', 'place', 'vehicle', 'thing'],
  );
  const place = ofKind(random, kind, {
    determiners: ['the', 'the', 'own', 'a', 'this'],
    described: 0.25,
    plural: false,
  });
  const where = french.endsWith('_')
    ? `${french.slice(0, -4)}${of(place.french)}`.replace(/ (?=d[ue'])/, ' ')
    : `${french} ${place.french}`;
  const there = french.endsWith('_') ? `${french.slice(0, -4).trim()} ${of(place.french)}` : where;
  if (what.indefinite && chance(random, 0.7)) {
    const past = chance(random, 0.3);
    return {
      english: `there ${past ? (what.plural ? 'were' : 'was') : what.plural ? 'are' : 'is'} ${what.english} ${english} ${place.english}`,
      french: `il y ${past ? 'avait' : 'a'} ${what.french} ${there}`,
    };
  }
  if (chance(random, 0.15)) {
    const near = {
      english: `is ${what.english} ${english} ${place.english}`,
      french: `${what.french} est-il`,
    };
    if (!what.plural)
      return {
        english: near.english,
        french: `est-ce ${elides(what.french) ? "qu'" : 'que '}${what.french} est ${there}`,
        mark: '?',
      };
  }
  return is(random, what, `${english} ${place.english}`, there);
}

export const ache = (random) => {
  const subject = pick(random, [
    ['my', 'I', 'je', 0],
    ['his', 'he', 'il', 2],
    ['her', 'she', 'elle', 2],
    ['your', 'you', 'tu', 1],
    ['our', 'we', 'nous', 3],
  ]);
  const noun = pick(random, nouns.body);
  const plural = chance(random, 0.15);
  const the = plural
    ? `les ${frenchPlural(noun)}`
    : elides(noun.french)
      ? `l'${noun.french}`
      : `${noun.feminine ? 'la' : 'le'} ${noun.french}`;
  const who = { french: subject[2], person: subject[3] };
  const part = plural ? englishPlural(noun) : noun.english;
  if (chance(random, 0.6))
    return {
      english: `${subject[0]} ${part} ${plural ? 'hurt' : 'hurts'}`,
      french: frenchClause(who, have, 'present', { rest: `mal ${to(the)}` }),
    };
  const [from, into] = pick(
    random,
    split(
      `hurt=se blesser_, broke=se casser, washed=se laver, cut=se couper, burnt=se brûler`,
    ).slice(1),
  );
  return {
    english: `${subject[1]} ${from} ${subject[0]} ${part}`,
    french: frenchClause({ ...who, plural: false, feminine: false }, inFrench(into), 'past', {
      rest: the,
    }),
  };
};

export const weathers =
  split(`it is raining=il pleut, it is snowing=il neige, it is very hot=il fait très chaud, it is cold=il fait froid, it is sunny=il y a du soleil
  it is windy=il y a du vent, it is foggy=il y a du brouillard, it rained=il a plu, it snowed=il a neigé, it will rain=il pleuvra, it will snow=il neigera
  it was hot=il faisait chaud, it was cold=il faisait froid, it will be cold=il fera froid, it will be hot=il fera chaud, the weather is nice=il fait beau
  the weather was bad=il faisait mauvais, it was raining=il pleuvait, it was snowing=il neigeait, it is freezing=il gèle, it is getting dark=il commence à faire nuit
  the sky is grey=le ciel est gris, the wind is blowing=le vent souffle, it is cloudy=le ciel est couvert, the sun is shining=le soleil brille, it hailed=il a grêlé`);

export const weather = (random) => {
  const [english, french] = pick(random, weathers);
  const times = / will /.test(english)
    ? later
    : /\b(was|rained|snowed|hailed)\b/.test(english)
      ? before
      : now;
  const [where, there] = chance(random, 0.5)
    ? pick(random, countries).map((x, n) => (n ? x : `in ${x}`))
    : ['', ''];
  const [when, then] = chance(random, 0.5) ? pick(random, times) : ['', ''];
  return {
    english: [english, where, when].filter(Boolean).join(' '),
    french: [french, there, then].filter(Boolean).join(' '),
  };
};

export function compares(random) {
  const kind = pick(random, ['person', 'animal', 'place', 'thing', 'food', 'vehicle']);
  const lists = {
    person: 'person',
    animal: 'animal',
    place: 'place',
    thing: 'thing',
    food: 'food',
    vehicle: 'thing',
  };
  const adjective = pick(
    random,
    adjectives[lists[kind]].filter(
      ({ english, masculine }) =>
        !/ /.test(masculine) &&
        !/^(dead|broken|open|closed|pregnant|Chinese|French|Italian|blind|deaf|square|empty|full|wooden|bad|good|ripe|raw)/.test(
          english,
        ),
    ),
  );
  const [one, other] = [0, 1].map(() =>
    kind === 'person'
      ? someone(random)
      : ofKind(random, kind, {
          determiners: ['the', 'own', 'this'],
          described: 0.1,
          plural: false,
        }),
  );
  if (one.person !== 2 || other.person !== 2 || /^(he|she)$/.test(other.english))
    return compares(random);
  const base = adjective.english;
  const shorter =
    (/^.{2,5}$/.test(base) && !/(red|ed)$/.test(base)) || (/y$/.test(base) && base.length < 7);
  const more = shorter
    ? base.endsWith('y')
      ? `${base.slice(0, -1)}ier`
      : base.endsWith('e')
        ? `${base}r`
        : /[^aeiou][aiou][bdgmnpt]$/.test(base)
          ? `${base}${base.at(-1)}er`
          : `${base}er`
    : `more ${base}`;
  const form = agree(adjective, one);
  return pick(random, [
    {
      english: `${one.english} is ${more} than ${other.english}`,
      french: `${one.french} est plus ${form} que ${other.french}`.replace(
        /que (?=[AEIOUÉaeiou])/,
        "qu'",
      ),
    },
    {
      english: `${one.english} is as ${base} as ${other.english}`,
      french: `${one.french} est aussi ${form} que ${other.french}`.replace(
        /que (?=[AEIOUÉaeiou])/,
        "qu'",
      ),
    },
    {
      english: `${one.english} is less ${base} than ${other.english}`,
      french: `${one.french} est moins ${form} que ${other.french}`.replace(
        /que (?=[AEIOUÉaeiou])/,
        "qu'",
      ),
    },
  ]);
}

export const jobs = (random) => {
  const noun = pick(
    random,
    nouns.person.filter(
      ({ english }) =>
        !/^(man|woman|child|boy|girl|baby|giant|stranger|guest|old lady|thief|beggar|passenger|elder|patient|customer|king|queen)/.test(
          english,
        ),
    ),
  );
  const subject = someone(random);
  if (subject.person === 5 || subject.person === 3) return jobs(random);
  const form = noun.french;
  const an = /^[aeiou]/.test(noun.english) ? 'an' : 'a';
  const want = inFrench('vouloir');
  return pick(random, [
    {
      english: `${subject.english} ${isForms.present[subject.person]} ${an} ${noun.english}`,
      french: frenchClause(subject, be, 'present', { rest: form }),
    },
    {
      english: `${subject.english} ${isForms.past[subject.person]} ${an} ${noun.english}`,
      french: frenchClause(subject, be, 'imperfect', { rest: form }),
    },
    {
      english: `${subject.english} ${subject.person === 2 ? 'wants' : 'want'} to become ${an} ${noun.english}`,
      french: frenchClause(subject, want, 'present', { rest: `devenir ${form}` }),
    },
    {
      english: `${subject.english} ${subject.person === 2 ? 'works' : 'work'} as ${an} ${noun.english}`,
      french: frenchClause(subject, inFrench('travailler'), 'present', { rest: `comme ${form}` }),
    },
  ]);
};

/** Somebody's something: "Omar's red hat". */
export function belongs(random) {
  const kind = pick(random, ['thing', 'clothes', 'vehicle', 'animal', 'family', 'place', 'house']);
  const what = phrase(random, kind, pick(random, nouns[kind]), {
    determiners: ['the'],
    described: kind === 'family' ? 0 : 0.5,
  });
  const bare = what.english.replace(/^(the|my|your|his|her|our|their) /, '');
  const noun = what.noun;
  const owned =
    kind === 'family'
      ? {
          french: what.plural
            ? `les ${frenchPlural(noun)}`
            : elides(noun.french)
              ? `l'${noun.french}`
              : `${noun.feminine ? 'la' : 'le'} ${noun.french}`,
        }
      : what;
  const owner = chance(random, 0.6) ? name(random).text : null;
  const person = owner
    ? { english: owner, french: owner }
    : phrase(random, 'family', pick(random, [...nouns.family, ...nouns.person]), {
        determiners: ['own', 'the'],
        described: 0,
        plural: false,
      });
  const english = `${person.english}'s ${bare}`;
  const french = `${owned.french} ${of(person.french)}`;
  const adjective = pick(random, adjectives[pick(random, ['colour', 'size'])]);
  const { plural } = what;
  return pick(random, [
    {
      english: `${english} ${plural ? 'are' : 'is'} ${kind === 'family' ? 'here' : adjective.english}`,
      french: `${french} ${plural ? 'sont' : 'est'} ${kind === 'family' ? 'ici' : agree(adjective, { ...what, beforeVowel: false })}`,
    },
    {
      english: `where ${plural ? 'are' : 'is'} ${english}`,
      french: `où ${plural ? 'sont' : 'est'} ${french}`,
      mark: '?',
    },
    { english: `I like ${english}`, french: `j'aime ${french}` },
    { english: `this is ${english}`, french: `c'est ${french}`, skip: plural },
    { english: `we saw ${english}`, french: `nous avons vu ${french}` },
  ]);
}
