// Frames: somebody prepares, tells, finds or promises somebody something.
import { french as inFrench } from './conjugate.js';
import { nouns, readNouns } from './nouns.js';
import { chance, frenchClause, phrase, pick, to } from './phrases.js';
import { someone } from './subjects.js';

const dishes = readNouns(
  `cake=gâteau m, pie=tarte f, omelette=omelette f, soup=soupe f, sandwich=sandwich m, pancake=crêpe f, salad=salade f, cup of tea/cups of tea=tasse de thé/tasses de thé f, cup of coffee/cups of coffee=tasse de café/tasses de café f, glass of water/glasses of water=verre d'eau/verres d'eau m, bowl of rice/bowls of rice=bol de riz/bols de riz m, piece of cheese/pieces of cheese=morceau de fromage/morceaux de fromage m`,
);
const crafts = readNouns(
  `scarf/scarves=écharpe f, pullover=pull m, hat=bonnet m, dress=robe f, blanket=couverture f, coat=manteau m, bag=sac m`,
);
const tales = readNouns(
  `story=histoire f, secret=secret m, joke=blague f, lie=mensonge m, dream=rêve m, poem=poème m`,
);
const seats = readNouns(
  `ticket=billet m, seat=place f, room=chambre f, job=travail/travaux m, house=maison f, toy=jouet m, gift=cadeau m, kite=cerf-volant/cerfs-volants m`,
);
const givings = [
  [['baked', 'bake', 'baking', 'bakes', 'for'], 'faire', dishes],
  [['made', 'make', 'making', 'makes', 'for'], 'préparer', dishes],
  [['cooked', 'cook', 'cooking', 'cooks', 'for'], 'préparer', dishes],
  [['poured', 'pour', 'pouring', 'pours', 'for'], 'servir', dishes.slice(7, 10)],
  [['brought', 'bring', 'bringing', 'brings', 'to'], 'apporter', dishes],
  [['knitted', 'knit', 'knitting', 'knits', 'for'], 'tricoter', crafts.slice(0, 5)],
  [['sewed', 'sew', 'sewing', 'sews', 'for'], 'coudre', crafts.slice(3)],
  [['told', 'tell', 'telling', 'tells', 'to'], 'raconter', tales],
  [['gave', 'give', 'giving', 'gives', 'to'], 'donner', seats],
  [['bought', 'buy', 'buying', 'buys', 'for'], 'acheter', seats],
  [['found', 'find', 'finding', 'finds', 'for'], 'trouver', seats],
  [['promised', 'promise', 'promising', 'promises', 'to'], 'promettre', seats],
  [['offered', 'offer', 'offering', 'offers', 'to'], 'offrir', seats],
];

/** "She baked her neighbour a pie", "tell the children a story". */
export function treats(random) {
  const [[pastForm, base, ing, third, preposition], into, list] = pick(random, givings);
  const what = phrase(random, 'none', pick(random, list), {
    determiners: ['a', 'a', 'the', 'number'],
    described: 0,
    plural: chance(random, 0.2),
  });
  const subject = someone(random);
  const pronouns = [
    ['me', 'me'],
    ['us', 'nous'],
    ['him', 'lui'],
    ['her', 'lui'],
    ['them', 'leur'],
  ];
  const verb = { base, third, past: pastForm, participle: pastForm, ing };
  const [english, french] = pick(random, [
    ['past', 'past'],
    ['past', 'past'],
    ['present', 'present'],
    ['progressive', 'present'],
    ['future', 'future'],
    ['soon', 'soon'],
  ]);
  const clause = (rest, object) => ({
    english: `${subject.english} ${verbIn(verb, english, subject.person)} ${rest}`,
    french: frenchClause(subject, inFrench(into), french, { rest: object }),
  });
  if (chance(random, 0.15) && french !== 'soon') {
    const [them, leur] = pick(
      random,
      [0, 3].includes(subject.person) ? pronouns.slice(2) : pronouns,
    );
    const plain = frenchClause({ french: '', person: subject.person }, inFrench(into), french, {
      rest: what.french,
    }).trim();
    const elide = leur === 'me' && /^[aeoé]/.test(plain) ? "m'" : `${leur} `;
    const je = subject.french;
    return {
      english: `${subject.english} ${verbIn(verb, english, subject.person)} ${them} ${what.english}`,
      french: `${je} ${elide}${plain}`,
    };
  }
  const other = phrase(random, 'family', pick(random, [...nouns.family, ...nouns.person]), {
    determiners: ['own', 'own', 'own', 'the'],
    described: 0,
    plural: chance(random, 0.15),
  });
  return clause(
    chance(random, 0.75)
      ? `${other.english} ${what.english}`
      : `${what.english} ${preposition} ${other.english}`,
    `${what.french} ${to(other.french)}`,
  );
}

const beForms = ['am', 'are', 'is', 'are', 'are', 'are'];
const verbIn = (verb, tense, person) =>
  ({
    past: verb.past,
    present: person === 2 ? verb.third : verb.base,
    progressive: `${beForms[person]} ${verb.ing}`,
    future: `will ${verb.base}`,
    soon: `${beForms[person]} going to ${verb.base}`,
  })[tense];
