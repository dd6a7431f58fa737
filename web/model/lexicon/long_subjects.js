// Frames: what agrees over a distance: subjects of several parts, two adjectives, the passive.
import { adjectives, agree } from './adjectives.js';
import { be, isForms, ofKind } from './clauses.js';
import { dated } from './dates.js';
import { agreeing, chance, frenchClause, of, pick } from './phrases.js';
import { someone } from './subjects.js';
import { split } from './times.js';

const joints = split(
  'in=dans, behind=derrière, in front of=devant, under=sous, of=de_, near=près de_, next to=à côté de_',
);
const listsOf = {
  thing: ['thing', 'colour', 'state'],
  clothes: ['colour', 'state'],
  pairs: ['colour', 'state'],
  food: ['food'],
  vehicle: ['colour', 'thing', 'state'],
  animal: ['animal', 'colour'],
  house: ['colour', 'state'],
  place: ['place', 'state'],
  person: ['person'],
};
const states = split(
  'closed=fermé, open=ouvert, broken=cassé, painted=peint, clean=propre, dirty=sale, locked=verrouillé, covered with snow=couvert de neige, empty=vide, new=neuf, ready=prêt, blocked=bloqué, lost=perdu, hidden=caché, old=vieux, very old=très vieux, beautiful=beau, full of water=plein d_eau, wet=mouillé, dry=sec, cold=froid, warm=chaud, heavy=lourd, too small=trop petit, too big=trop grand',
);
const feminineOf = { neuf: 'neuve', vieux: 'vieille', beau: 'belle', sec: 'sèche' };
const stateOf = ([english, french]) => {
  const [, before, word, after] = /^((?:très |trop )?)(\p{L}+)(.*)$/u.exec(
    french.replace('d_eau', "d'eau"),
  );
  const feminine =
    feminineOf[word] ?? (word.endsWith('e') ? word : word === 'sale' ? word : `${word}e`);
  const plural = /x$/.test(word) ? word : word === 'beau' ? 'beaux' : `${word}s`;
  const put = (form) => `${before}${form}${after}`;
  return {
    english,
    masculine: put(word),
    feminine: put(feminine),
    plural: put(plural),
    feminines: put(`${feminine}s`),
  };
};
const allStates = states.map(stateOf);

export function adjectiveFor(random, kind) {
  const list = pick(random, listsOf[kind] ?? ['state']);
  return list === 'state' ? pick(random, allStates) : pick(random, adjectives[list]);
}

const kinds = [
  'thing',
  'thing',
  'clothes',
  'pairs',
  'food',
  'vehicle',
  'animal',
  'house',
  'place',
  'person',
];

/** "The keys of the old house", "the boots under the bench". */
export function longSubject(random, kind = pick(random, kinds)) {
  const head = ofKind(random, kind, {
    determiners: ['the', 'the', 'own', 'this'],
    described: 0.2,
    plural: chance(random, 0.6),
  });
  const tail = ofKind(random, pick(random, ['house', 'place', 'house', 'vehicle']), {
    determiners: ['the', 'the', 'own'],
    described: 0.2,
    plural: false,
  });
  const [english, french] = pick(random, joints);
  const at = french.endsWith('_')
    ? `${french.replace(/ ?de_$/, '')} ${of(tail.french)}`.trim()
    : `${french} ${tail.french}`;
  return {
    ...head,
    english: `${head.english} ${english} ${tail.english}`,
    french: `${head.french} ${at}`,
  };
}

const how = [
  ['very ', 'très '],
  ['really ', 'vraiment '],
  ['too ', 'trop '],
  ['', ''],
  ['', ''],
  ['', ''],
  ['', ''],
];
const beTenses = [
  ['present', 'present'],
  ['present', 'present'],
  ['past', 'imperfect'],
];

export function agrees(random) {
  const kind = pick(random, kinds);
  const draw = random();
  const subject =
    draw < 0.55
      ? longSubject(random, kind)
      : ofKind(random, kind, {
          determiners: ['the', 'own', 'own', 'this'],
          described: 0.6,
          plural: chance(random, 0.6),
        });
  const first = adjectiveFor(random, kind);
  const [tense, temps] = pick(random, beTenses);
  const more = (adjective) =>
    allStates.includes(adjective) || / /.test(adjective.masculine) ? ['', ''] : pick(random, how);
  const [a, b] = more(first);
  let english = `${a}${first.english}`;
  let french = `${b}${agree(first, subject)}`;
  const isDouble = draw > 0.35 && draw < 0.8;
  if (isDouble) {
    const second = adjectiveFor(random, kind);
    if (second.english === first.english) return agrees(random);
    const [c, d] = more(second);
    const [and, et] = pick(random, [
      ['and', 'et'],
      ['and', 'et'],
      ['but', 'mais'],
    ]);
    english += ` ${and} ${c}${second.english}`;
    french += ` ${et} ${d}${agree(second, subject)}`;
  }
  const negative = !isDouble && chance(random, 0.15);
  return {
    english: `${subject.english} ${isForms[tense][subject.person]} ${negative ? 'not ' : ''}${english}`,
    french: frenchClause(subject, be, temps, { negative, rest: french }),
  };
}

const done = split(
  'built=construit, painted=peint, found=trouvé, sold=vendu, bought=acheté, stolen=volé, repaired=réparé, cleaned=nettoyé, washed=lavé, destroyed=détruit, opened=ouvert, closed=fermé, hidden=caché, forgotten=oublié, broken=cassé, drawn=dessiné, photographed=photographié, chosen=choisi, moved=déplacé, decorated=décoré',
);

/** "The gate was painted by my uncle", "were the boots found in the garden?". */
export function passive(random) {
  const subject = chance(random, 0.3)
    ? longSubject(random, pick(random, ['thing', 'house', 'place']))
    : ofKind(random, pick(random, ['thing', 'thing', 'vehicle', 'house', 'place', 'clothes']), {
        determiners: ['the', 'own', 'this'],
        described: 0.3,
      });
  const [english, french] = pick(random, done);
  const agent = someone(random);
  const isNoun = agent.noun || agent.isName;
  const [by, par] =
    isNoun && chance(random, 0.5) ? [`by ${agent.english}`, `par ${agent.french}`] : dated(random);
  const [tense, helper] = pick(random, [
    ['was', 'past'],
    ['was', 'past'],
    ['will be', 'future'],
  ]);
  const plural = subject.person === 5;
  const rest = `${agreeing(french, subject)} ${tense === 'was' || isNoun ? par : ''}`.trim();
  return {
    english:
      `${subject.english} ${tense === 'was' ? (plural ? 'were' : 'was') : tense} ${english} ${tense === 'was' || isNoun ? by : ''}`.trim(),
    french: frenchClause(subject, be, helper, { rest }),
    skip: tense !== 'was' && !/^by/.test(by),
  };
}
