// Frames: two nouns and a pronoun, and a word that says which of the two it stands for: "the animal didn't cross the
// street because it was too tired", "… because it was too wide".
import { agree } from './adjectives.js';
import { chance, elided, of, phrase, pick } from './phrases.js';
import { headOf } from './nouns.js';
import { did, done, said, senses } from './senses.js';
import { split } from './times.js';

const kindOf = {
  animal: 'animal',
  vehicle: 'vehicle',
  garment: 'clothes',
  bulky: 'house',
  container: 'house',
  loose: 'house',
  valuable: 'house',
  lair: 'house',
  support: 'house',
};

/** A noun of one of the classes with its determiner. */
function some(random, classes, { plural, determiners } = {}) {
  const sense = pick(random, classes);
  return phrase(random, kindOf[sense] ?? 'none', pick(random, senses[sense]), {
    determiners: determiners ?? [...Array.from({ length: 8 }, () => 'the'), 'own', 'this', 'a'],
    described: kindOf[sense] && chance(random, 0.12) ? 1 : 0,
    plural,
  });
}

const ending = ({ feminine, plural }) => `${feminine ? 'e' : ''}${plural ? 's' : ''}`;
const agreed = (french, noun) =>
  french.replace(/(\p{L})\*/gu, (_, last) =>
    last === 'e'
      ? `e${noun.plural ? 's' : ''}`
      : last === 's' && !noun.feminine
        ? last
        : `${last}${ending(noun)}`,
  );

const manyForms = [
  ['a', 'ont'],
  ['est', 'sont'],
  ['veut', 'veulent'],
  ['peut', 'peuvent'],
  ['tient', 'tiennent'],
  ['va', 'vont'],
];
/** A French verb phrase of the third person in the plural: its first verb and what goes with it. */
export function inPlural(french) {
  const [, before, verb, rest] =
    /^((?:ne |n'|se |s'|m'|me |lui |les |la |le |l'|ne s'|ne se |ne m')*)(\p{L}+)(.*)$/u.exec(
      french,
    );
  const many =
    manyForms.find(([one]) => one === verb)?.[1] ??
    (verb.endsWith('ait') ? verb.replace(/ait$/, 'aient') : verb.replace(/e$/, 'ent'));
  const vowel = /^[aeiouéêh]/.test(many);
  const lead = before.replace(/s'$/, vowel ? "s'" : 'se ').replace(/n'$/, vowel ? "n'" : 'ne ');
  return `${lead}${many}${rest}`;
}
const finite = (french, { plural }) => (plural ? inPlural(french) : french);

const englishMany = (english) =>
  english
    .replace(/\bwas\b/g, 'were')
    .replace(/\bwasn't\b/g, "weren't")
    .replace(/\bits\b/g, 'their')
    .replace(/\bitself\b/g, 'themselves');

const present = [
  ['était', 'est'],
  ['étaient', 'sont'],
];

/** { it, il, english, french }: what is said of a noun by a pronoun, "it was too tired". */
function says(random, noun, lists, { now = false, isPerson = false } = {}) {
  let one;
  do one = pick(random, pick(random, lists));
  while ((now && one.kind === 'verb') || (isPerson && !noun.plural));
  const { plural, feminine } = noun;
  const it = plural ? 'they' : 'it';
  const il = `${feminine ? 'elle' : 'il'}${plural ? 's' : ''}`;
  if (one.kind === 'verb') {
    const english = plural ? englishMany(one.english) : one.english;
    return { it, il, referent: noun, english, french: finite(agreed(one.french, noun), noun) };
  }
  const form = agree(one, { feminine, plural });
  const be = now ? (plural ? 'are' : 'is') : plural ? 'were' : 'was';
  const plain = plural ? 'étaient' : 'était';
  const être = now ? present.find(([past]) => past === plain)[1] : plain;
  const [how, comment] =
    one.too && chance(random, one.too)
      ? ['too ', 'trop ']
      : chance(random, 0.12)
        ? pick(random, [
            ['very ', 'très '],
            ['so ', 'si '],
            ['really ', 'vraiment '],
            ['still ', 'encore '],
            ['already ', 'déjà '],
          ])
        : ['', ''];
  const fixed = /^(en |bon |fait )/.test(form) && /^(très|si|trop|vraiment)/.test(comment);
  return {
    it,
    il,
    referent: noun,
    english: `${be} ${fixed ? '' : how}${one.english}`,
    french: `${être} ${fixed ? '' : comment}${form}`,
  };
}

const weather = split(
  `was raining=pleuvait, was snowing=neigeait, was dark=faisait nuit, was too late=était trop tard, was too cold outside=faisait trop froid dehors, was late=était tard
   was too hot=faisait trop chaud, was Sunday=était dimanche`,
).filter(([english]) => english !== 'was Sunday');

const when = split(
  `yesterday=hier, this morning=ce matin, last night=hier soir, on Monday=lundi, that day=ce jour-là, last week=la semaine dernière, at night=la nuit, today=aujourd_hui, in the morning=le matin`,
).map((pair) => pair.map((text) => text.replace('_', "'")));

const shortened = [
  [/\bdid not\b/, "didn't"],
  [/\bcould not\b/, "couldn't"],
  [/\bwould not\b/, "wouldn't"],
  [/\bdoes not\b/, "doesn't"],
  [/\bdo not\b/, "don't"],
  [/\bwas not\b/, "wasn't"],
  [/\bwere not\b/, "weren't"],
  [/\bcannot\b/, "can't"],
];
const shorten = (random, english) =>
  shortened.reduce(
    (text, [long, short]) => (chance(random, 0.5) ? text.replace(long, short) : text),
    english,
  );

const that = (word, il) => elided(word, il);

/** The two clauses joined, in either order. */
function join(random, english, french, end, joins = 'because', now = false) {
  const { it, il, referent } = end;
  const link = { pronoun: it, noun: headOf(referent) };
  const time = !now && chance(random, 0.1) ? pick(random, when) : null;
  const [when_, quand] = time ? [` ${time[0]}`, ` ${time[1]}`] : ['', ''];
  if (joins === 'because') {
    if (chance(random, 0.04)) {
      const [was, était] = pick(random, weather);
      return { english: `${english} because it ${was}`, french: `${french} parce qu'il ${était}` };
    }
    if (chance(random, 0.07))
      return {
        link,
        english: `because ${it} ${end.english}, ${english}`,
        french: `parce qu'${il} ${end.french}, ${french}`,
      };
    const [because, parce] = chance(random, 0.9)
      ? ['because', 'parce que']
      : pick(random, [
          ['since', 'puisque'],
          ['as', 'car'],
          ['because', 'car'],
        ]);
    return {
      link,
      english: `${english}${when_} ${because} ${it} ${end.english}`,
      french: `${french}${quand} ${parce === 'car' ? `car ${il}` : that(parce, il)} ${end.french}`,
    };
  }
  const [but, mais] = pick(random, [
    [' but', ' mais'],
    [', but', ', mais'],
  ]);
  return {
    link,
    english: `${english}${when_}${but} ${it} ${end.english}`,
    french: `${french}${quand}${mais} ${il} ${end.french}`,
  };
}

const verbs = (text) => split(text.replace(/\n\s*/g, ', ')).map((entry) => entry);

// Each: classes of the subject and of the object, verbs between them, what is said of the one and of the other.
const scenes = [
  {
    share: 10,
    one: ['animal'],
    other: ['way'],
    verbs: verbs(
      `did not cross=n'a pas traversé, could not cross=n'a pas pu traverser, could not cross=ne pouvait pas traverser, would not cross=ne voulait pas traverser, refused to cross=a refusé de traverser
       did not want to cross=ne voulait pas traverser, did not go across=n'a pas traversé, was afraid to cross=avait peur de traverser, hesitated to cross=hésitait à traverser`,
    ),
    ofOne: [said.tiredness, said.tiredness, said.state],
    ofOther: [said.way, said.way, said.wayClosed],
  },
  {
    share: 4,
    one: ['animal'],
    other: ['water', 'field'],
    verbs: verbs(
      `did not cross=n'a pas traversé, could not cross=n'a pas pu traverser, refused to cross=a refusé de traverser, did not want to cross=ne voulait pas traverser, could not cross=ne pouvait pas traverser`,
    ),
    ofOne: [said.tiredness, said.state],
    ofOther: { water: [said.deep], field: [said.field] },
  },
  {
    share: 4,
    one: ['animal', 'vehicle'],
    other: ['way', 'opening'],
    verbs: verbs(
      `could not get through=ne pouvait pas passer par, did not go through=n'est pas passé* par, could not go through=n'a pas pu passer par, did not fit through=ne passait pas par`,
    ),
    ofOne: [said.bulky],
    ofOther: [said.narrow, said.narrow, said.wayClosed],
    plain: /large|haut/,
  },
  {
    share: 5,
    one: ['vehicle'],
    other: ['way'],
    verbs: verbs(
      `could not use=ne pouvait pas utiliser, did not take=n'a pas pris, could not take=ne pouvait pas prendre, could no longer use=ne pouvait plus utiliser, did not use=n'a pas utilisé`,
    ),
    ofOne: [said.heavy],
    ofOther: [said.wayClosed, said.narrow],
  },
  {
    share: 4,
    one: ['vessel_at_sea', 'vehicle', 'animal'],
    other: ['far'],
    verbs: verbs(
      `did not reach=n'a pas atteint, could not reach=n'a pas pu atteindre, never reached=n'a jamais atteint, did not get to=n'est pas arrivé* à, could not reach=ne pouvait pas atteindre`,
    ),
    ofOne: {
      vessel_at_sea: [said.ship],
      vehicle: [said.heavy],
      animal: [said.tiredness, said.catchless],
    },
    ofOther: [said.far],
  },
  {
    share: 10,
    one: ['animal'],
    other: ['fruit', 'dish'],
    verbs: verbs(
      `did not eat=n'a pas mangé, refused to eat=a refusé de manger, would not eat=ne voulait pas manger, did not want to eat=ne voulait pas manger, did not touch=n'a pas touché à, could not eat=n'a pas pu manger, left=a laissé, did not finish=n'a pas fini, spat out=a recraché`,
    ),
    ofOne: [said.state, said.state, said.tiredness],
    ofOther: { fruit: [said.fruit], dish: [said.dish] },
  },
  {
    share: 5,
    one: ['person'],
    other: ['fruit', 'dish', 'garment'],
    plural: 1,
    verbs: verbs(
      `did not eat=n'a pas mangé, refused to eat=a refusé de manger, would not eat=ne voulait pas manger, did not want=ne voulait pas, left=a laissé, did not buy=n'a pas acheté, threw away=a jeté, gave away=a donné`,
    ),
    ofOne: [said.humanState],
    ofOther: { fruit: [said.fruit], dish: [said.dish], garment: [said.property.slice(0, 5)] },
  },
  {
    share: 3,
    one: ['animal'],
    other: ['liquid'],
    verbs: verbs(
      `did not drink=n'a pas bu, refused to drink=a refusé de boire, would not drink=ne voulait pas boire, spilled=a renversé, did not touch=n'a pas touché à`,
    ),
    ofOne: [said.state, said.tiredness],
    ofOther: [said.liquid],
    singularOther: true,
    theOther: true,
  },
  {
    share: 9,
    one: ['bulky', 'loose', 'valuable', 'document'],
    other: ['container', 'vessel'],
    verbs: verbs(
      `did not fit in=n'entrait pas dans, did not fit into=ne rentrait pas dans, would not go into=n'entrait pas dans, did not go in=ne rentrait pas dans, could not be put in=ne pouvait pas être mis* dans, did not fit in=ne tenait pas dans`,
    ),
    nowVerbs: verbs(
      `does not fit in=n'entre pas dans, does not fit into=ne rentre pas dans, will not fit in=ne rentre pas dans, does not fit in=ne tient pas dans, won't go into=n'entre pas dans, does not go into=ne rentre pas dans`,
    ),
    ofOne: [said.bulky],
    ofOther: [said.small, said.small, said.full],
  },
  {
    share: 5,
    one: ['bulky', 'vehicle'],
    other: ['opening'],
    verbs: verbs(
      `did not fit through=ne passait pas par, did not go through=n'est pas passé* par, would not go through=ne passait pas par, could not go through=ne pouvait pas passer par`,
    ),
    nowVerbs: verbs(
      `does not fit through=ne passe pas par, does not go through=ne passe pas par, will not go through=ne passe pas par, cannot go through=ne peut pas passer par`,
    ),
    ofOne: [said.bulky],
    ofOther: [said.small, said.narrow],
  },
  {
    share: 7,
    one: ['animal'],
    other: ['lair'],
    verbs: verbs(
      `left=a quitté, fled from=a fui, abandoned=a abandonné, did not enter=n'est pas entré* dans, did not go into=n'est pas entré* dans, came out of=est sorti* DE, did not want to sleep in=ne voulait pas dormir dans, wanted to leave=voulait quitter, left=a quitté`,
    ),
    ofOne: [said.state, said.state, said.tiredness],
    ofOther: [said.lair],
  },
  {
    share: 3,
    one: ['person'],
    other: ['lair', 'sight', 'property', 'far'],
    plural: 1,
    verbs: verbs(
      `left=a quitté, did not enter=n'est pas entré* dans, sold=a vendu, came out of=est sorti* DE, wanted to leave=voulait quitter, did not find=n'a pas trouvé, did not visit=n'a pas visité, did not reach=n'a pas atteint`,
    ),
    ofOne: [said.humanState],
    ofOther: {
      lair: [said.lair],
      sight: [said.sight],
      property: [said.property, said.lair],
      far: [said.far],
    },
  },
  {
    share: 2,
    one: ['animal'],
    other: ['lair'],
    verbs: verbs(
      `hid in=s'est caché* dans, went into=est entré* dans, slept in=a dormi dans, ran into=a couru dans, stayed in=est resté* dans, returned to=est retourné* à, crept into=s'est glissé* dans`,
    ),
    ofOne: [said.state, said.tiredness],
    ofOther: [said.refuge],
  },
  {
    share: 6,
    one: ['animal'],
    other: ['perch'],
    joins: 'but',
    verbs: verbs(
      `tried to jump onto=a essayé de sauter sur, wanted to jump onto=voulait sauter sur, tried to climb onto=a essayé de monter sur, wanted to climb onto=voulait monter sur, wanted to lie on=voulait se coucher sur, tried to jump over=a essayé de sauter par-dessus`,
    ),
    ofOne: [said.jumper],
    ofOther: [said.high],
  },
  {
    share: 3,
    one: ['animal'],
    other: ['perch'],
    verbs: verbs(
      `could not jump onto=n'a pas pu sauter sur, did not climb onto=n'est pas monté* sur, could not climb onto=ne pouvait pas monter sur, fell off=est tombé* DE, could not jump over=n'a pas pu sauter par-dessus`,
    ),
    ofOne: [said.jumper],
    ofOther: [said.high],
  },
  {
    share: 4,
    one: ['loose'],
    other: ['support'],
    verbs: verbs(
      `fell off=est tombé* DE, fell from=est tombé* DE, slid off=a glissé DE, rolled off=a roulé DE, did not stay on=n'est pas resté* sur, was not on=n'était pas sur`,
    ),
    ofOne: [said.loose],
    ofOther: [said.wobbly],
  },
  {
    share: 3,
    one: ['melting'],
    other: ['slope', 'support'],
    verbs: verbs(
      `slid off=a glissé DE, fell off=est tombé* DE, slid down from=a glissé DE, did not stay on=n'est pas resté* sur, ran down from=a coulé DE, fell from=est tombé* DE`,
    ),
    ofOne: [said.melting],
    ofOther: [said.steep],
    singularOne: true,
    theOther: true,
  },
  {
    share: 3,
    one: ['animal'],
    other: ['lair', 'thicket', 'far'],
    verbs: verbs(
      `did not find=n'a pas trouvé, could not find=n'a pas pu trouver, could not see=ne pouvait pas voir, did not see=n'a pas vu, walked past=est passé* devant`,
    ),
    ofOne: [said.unseeing],
    ofOther: [said.hidden],
    theOther: true,
  },
  {
    share: 2,
    one: ['device', 'bulky', 'valuable'],
    other: ['support'],
    verbs: verbs(
      `is no longer on=n'est plus sur, is not on=n'est pas sur, cannot stand on=ne peut pas rester sur, does not stay on=ne reste pas sur, is not standing on=n'est pas sur`,
    ),
    now: true,
    ofOne: { device: [said.broken], bulky: [said.weighty], valuable: [said.valuable] },
    ofOther: [said.wobbly, said.small],
  },
  {
    share: 5,
    one: ['cutter'],
    other: ['material'],
    verbs: verbs(
      `did not cut=n'a pas coupé, could not cut=ne pouvait pas couper, could not cut=n'a pas pu couper, would not cut=ne coupait pas, did not cut through=n'a pas coupé, hardly cut=coupait à peine`,
    ),
    ofOne: [said.blunt],
    ofOther: [said.hard],
    singularOther: true,
  },
  {
    share: 5,
    one: ['carrier'],
    other: ['load'],
    verbs: verbs(
      `did not hold=n'a pas tenu, could not hold=ne pouvait pas tenir, could not carry=ne pouvait pas porter, could not bear=ne pouvait pas supporter, could not support=n'a pas pu supporter, did not hold=n'a pas supporté`,
    ),
    nowVerbs: verbs(
      `does not hold=ne tient pas, cannot hold=ne peut pas tenir, will not hold=ne tient pas, cannot carry=ne peut pas porter, does not support=ne supporte pas`,
    ),
    ofOne: [said.thin],
    ofOther: [said.weighty],
  },
  {
    share: 6,
    one: ['group'],
    other: ['property', 'sight'],
    verbs: verbs(
      `sold=a vendu, left=a quitté, bought=a acheté, rented=a loué, closed=a fermé, did not buy=n'a pas acheté, had to sell=a dû vendre, wanted to sell=voulait vendre, gave up=a abandonné, rebuilt=a reconstruit`,
    ),
    ofOne: [said.group],
    ofOther: [said.property],
  },
  {
    share: 4,
    one: ['animal'],
    other: ['opening', 'container', 'lair'],
    verbs: verbs(
      `could not enter=ne pouvait pas entrer dans, did not fit in=n'entrait pas dans, could not get into=n'a pas pu entrer dans, could not enter=n'a pas pu entrer dans, could not go into=ne pouvait pas entrer dans`,
    ),
    ofOne: [said.tall],
    ofOther: [said.small],
  },
  {
    share: 3,
    one: ['animal', 'vehicle', 'person'],
    other: ['thicket'],
    verbs: verbs(
      `could not get through=ne pouvait pas traverser, did not get through=n'est pas passé* par, could not go through=n'a pas pu traverser, did not go through=n'a pas traversé, got lost in=s'est perdu* dans`,
    ),
    ofOne: {
      animal: [said.tiredness, said.state],
      vehicle: [said.heavy],
      person: [said.humanState],
    },
    ofOther: [said.dense],
    singularOther: true,
    theOther: true,
  },
  {
    share: 4,
    one: ['animal'],
    other: ['trap'],
    verbs: verbs(
      `could not leave=ne pouvait pas quitter, could not get out of=ne pouvait pas sortir DE, did not get out of=n'est pas sorti* DE, could not escape from=n'a pas pu sortir DE, could not leave=n'a pas pu quitter, stayed in=est resté* dans`,
    ),
    ofOne: [said.feeble],
    ofOther: [said.shut],
  },
  {
    share: 6,
    one: ['animal'],
    other: ['animal', 'loose', 'lair'],
    verbs: verbs(
      `did not see=n'a pas vu, could not see=ne pouvait pas voir, could not see=n'a pas pu voir, did not find=n'a pas trouvé, could not find=n'a pas pu trouver, did not notice=n'a pas remarqué`,
    ),
    ofOne: [said.unseeing],
    ofOther: [said.hidden],
  },
  {
    share: 4,
    one: ['animal'],
    other: ['animal'],
    verbs: verbs(
      `could not catch=n'a pas pu attraper, did not catch=n'a pas attrapé, could not catch=ne pouvait pas attraper, did not manage to catch=n'a pas réussi à attraper, never caught=n'a jamais attrapé`,
    ),
    ofOne: [said.catchless],
    ofOther: [said.fleeting],
  },
];

const bag = scenes.flatMap((scene) => Array.from({ length: scene.share }, () => scene));
const listsOf = (lists, sense) => (Array.isArray(lists) ? lists : lists[sense]);
const drawPlural = (random, share = 0.42) => chance(random, share);

/** Two nouns of different gender mostly; where both have the same, the pronoun is settled anyway. */
function twoNouns(random, scene, negative) {
  for (let more = 6; ; more--) {
    const oneSense = pick(random, scene.one);
    const otherSense = pick(random, scene.other);
    const plural = scene.singularOne ? false : drawPlural(random, scene.plural);
    const otherPlural = scene.singularOther ? false : chance(random, 0.85) ? plural : !plural;
    const one = some(random, [oneSense], { plural });
    const other = some(random, [otherSense], {
      plural: otherPlural,
      determiners:
        scene.theOther || negative ? ['the', 'the', 'the', 'the', 'own', 'this'] : undefined,
    });
    if (one.noun.english === other.noun.english) continue;
    if (more <= 0 || one.feminine !== other.feminine || one.plural !== other.plural)
      return { one, other, oneSense, otherSense };
  }
}

const withObject = (french, object) => {
  if (/ DE$/.test(french))
    return french.replace(/DE$/, of(object.french)).replace(/ de (?=du |des )/, ' ');
  if (/ à$/.test(french))
    return `${french.slice(0, -2)} ${object.french.startsWith('le ') ? `au ${object.french.slice(3)}` : object.french.startsWith('les ') ? `aux ${object.french.slice(4)}` : `à ${object.french}`}`;
  return `${french} ${object.french}`;
};
/** After "pas" what is indefinite has another article; only the definite ones stand there. */
const isNegative = (french) => /^(n'|ne )/.test(french);

/** "The boat did not reach the island because it was too slow." */
export function tellsWhich(random) {
  const scene = pick(random, bag);
  const now = scene.now || Boolean(scene.nowVerbs && chance(random, 0.4));
  const [verb, verbe] = pick(random, (now && scene.nowVerbs) || scene.verbs);
  const { one, other, oneSense, otherSense } = twoNouns(random, scene, isNegative(verbe));
  const isOne = chance(random, 0.5);
  const lists = isOne ? listsOf(scene.ofOne, oneSense) : listsOf(scene.ofOther, otherSense);
  const noun = isOne ? one : other;
  const end = says(random, noun, lists, { now });
  const is = one.plural
    ? verb
        .replace(/\bwas\b/, 'were')
        .replace(/\bis\b/, 'are')
        .replace(/\bdoes\b/, 'do')
    : verb;
  const french = `${one.french} ${withObject(finite(agreed(verbe, one), one), other)}`;
  const joined = join(
    random,
    `${one.english} ${is} ${other.english}`,
    french,
    end,
    scene.joins,
    now,
  );
  return { ...joined, english: shorten(random, joined.english) };
}

const people = split(
  `I=j'ai=je, she=elle a=elle, he=il a=il, we=nous avons=nous, they=ils ont=ils, you=tu as=tu, my mother=ma mère a=ma mère, my father=mon père a=mon père, Tom=Tom a=Tom, Mary=Marie a=Marie
   my sister=ma sœur a=ma sœur, the man=l_homme a=l_homme, the woman=la femme a=la femme, our neighbor=notre voisin a=notre voisin, the teacher=le professeur a=le professeur, my aunt=ma tante a=ma tante, someone=quelqu_un a=quelqu_un
   he=il a=il, she=elle a=elle, I=j'ai=je`,
).map((entry) => entry.map((text) => text.replace(/_/g, "'")));

const puts = [
  {
    share: 6,
    one: ['valuable', 'document'],
    other: ['container'],
    verbs: split(`put=mis, hid=caché, kept=gardé, locked=enfermé, left=laissé, placed=placé`),
    prepositions: split('in=dans'),
    ofOne: { valuable: [said.valuable], document: [said.valuable] },
    ofOther: [said.free],
  },
  {
    share: 5,
    one: ['liquid'],
    other: ['vessel'],
    verbs: split(`poured=versé, put=mis, poured=versé`),
    prepositions: split('into=dans, in=dans'),
    singularOne: true,
    theOne: true,
    ofOne: [said.pourable],
    ofOther: [said.vessel],
  },
  {
    share: 4,
    one: ['plant'],
    other: ['pot'],
    verbs: split(`put=mis, planted=planté, arranged=disposé, left=laissé`),
    prepositions: split('in=dans'),
    ofOne: [said.plant],
    ofOther: [said.free.slice(0, 2), said.vessel.slice(0, 1)],
  },
  {
    share: 4,
    one: ['garment'],
    other: ['container', 'device'],
    verbs: split(`put=mis, left=laissé, put=mis`),
    prepositions: split('in=dans'),
    otherOnly: 'container',
    ofOne: [said.dirty],
    ofOther: [said.free],
  },
  {
    share: 6,
    one: ['document', 'bulky', 'loose', 'garment'],
    other: ['container'],
    verbs: split(`could not put=mettre, could not get=faire entrer`),
    cannot: true,
    prepositions: split('in=dans, into=dans'),
    ofOne: [said.bulky],
    ofOther: [said.small, said.full],
  },
];
const putBag = puts.flatMap((scene) => Array.from({ length: scene.share }, () => scene));

/** "She poured the coffee into the cup because it was empty." */
export function putsInto(random) {
  const scene = pick(random, putBag);
  const plural = drawPlural(random);
  let one;
  let other;
  let more = 6;
  const oneSense = pick(random, scene.one);
  do {
    one = some(random, [oneSense], {
      plural: scene.singularOne ? false : plural,
      determiners: scene.theOne ? ['the', 'the', 'own'] : undefined,
    });
    other = some(random, [scene.otherOnly ?? pick(random, scene.other)], {
      plural: scene.singularOne ? chance(random, 0.1) : plural,
    });
    more--;
  } while (
    (more > 0 && one.feminine === other.feminine && one.plural === other.plural) ||
    one.noun.english === other.noun.english
  );
  const isOne = chance(random, 0.5);
  const noun = isOne ? one : other;
  const ofOne = listsOf(scene.ofOne, oneSense);
  const now = scene.cannot && chance(random, 0.35);
  const end = says(random, noun, isOne ? ofOne : listsOf(scene.ofOther), { now });
  const [who, avoir, qui] = pick(random, people);
  const [verb, verbe] = pick(random, scene.verbs);
  const [into, dans] = pick(random, scene.prepositions);
  const can = { je: 'peux', tu: 'peux', nous: 'pouvons', ils: 'peuvent' }[qui] ?? 'peut';
  const could =
    { je: 'pouvais', tu: 'pouvais', nous: 'pouvions', ils: 'pouvaient' }[qui] ?? 'pouvait';
  const start = scene.cannot ? `${qui} ne ${now ? can : could} pas ${verbe}` : `${avoir} ${verbe}`;
  const say = now ? verb.replace('could not', 'cannot') : verb;
  const joined = join(
    random,
    `${who} ${say} ${one.english} ${into} ${other.english}`,
    `${start} ${one.french} ${dans} ${other.french}`,
    end,
    'because',
    now,
  );
  return { ...joined, english: shorten(random, joined.english) };
}

/** "She poured the milk into the cup until it was full", "… until it was gone". */
export function until(random) {
  let liquid;
  let vessel;
  do {
    liquid = some(random, ['liquid'], { plural: false, determiners: ['the', 'the', 'own'] });
    vessel = some(random, ['vessel'], { plural: false });
  } while (liquid.feminine === vessel.feminine);
  const [who, avoir] = pick(random, people);
  if (chance(random, 0.5)) {
    const [full, plein] = pick(random, [
      ['full', 'plein'],
      ['almost full', 'presque plein'],
      ['half full', 'à moitié plein'],
    ]);
    const e = vessel.feminine ? 'elle' : 'il';
    return {
      link: { pronoun: 'it', noun: headOf(vessel) },
      english: `${who} poured ${liquid.english} into ${vessel.english} until it was ${full}`,
      french: `${avoir} versé ${liquid.french} dans ${vessel.french} jusqu'à ce qu'${e} soit ${plein}${vessel.feminine ? 'e' : ''}`,
    };
  }
  const e = liquid.feminine ? 'elle' : 'il';
  const [state, état] = pick(random, [
    ['hot', liquid.feminine ? 'chaude' : 'chaud'],
    ['cold', liquid.feminine ? 'froide' : 'froid'],
    ['boiling', liquid.feminine ? 'bouillante' : 'bouillant'],
    ['cool', liquid.feminine ? 'froide' : 'froid'],
    ['warm', liquid.feminine ? 'chaude' : 'chaud'],
  ]);
  return {
    link: { pronoun: 'it', noun: headOf(liquid) },
    english: `${who} left ${liquid.english} in ${vessel.english} until it was ${state}`,
    french: `${avoir} laissé ${liquid.french} dans ${vessel.french} jusqu'à ce qu'${e} soit ${état}`,
  };
}

/** "He took the apple out of the bag and ate it", "… and closed it". */
export function takesOut(random) {
  const inside = pick(random, [
    'fruit',
    'document',
    'document',
    'garment',
    'valuable',
    'dish',
    'money',
  ]);
  const key = { fruit: 'food', dish: 'food' }[inside] ?? inside;
  const plural = drawPlural(random);
  let one;
  let box;
  let more = 8;
  do {
    one = some(random, [inside], { plural });
    box = some(random, ['container'], { plural });
    more--;
  } while (more > 0 && one.feminine === box.feminine);
  const isOne = chance(random, 0.5);
  const noun = isOne ? one : box;
  const [verb, participle] = pick(random, done[isOne ? key : 'container']);
  const [took, pris] = pick(random, [
    ['took %1 out of', 'sorti'],
    ['took %1 out of', 'sorti'],
    ['took %1 from', 'pris'],
    ['removed %1 from', 'retiré'],
    ['pulled %1 out of', 'tiré'],
  ]);
  const [who, avoir, qui] = pick(random, people);
  const lead =
    pris === 'pris'
      ? `dans ${box.french}`
      : of(box.french).startsWith('d')
        ? of(box.french)
        : `de ${box.french}`;
  const has = avoir.split(' ').at(-1).replace("j'ai", 'ai').replace(/^.*'/, '');
  const them = noun.plural ? 'les ' : "l'";
  const [head, tail = ''] = participle.split('… ');
  const agreedPast = `${head}${noun.feminine ? 'e' : ''}${noun.plural && !(head.endsWith('s') && !noun.feminine) ? 's' : ''}`;
  const words = verb.split(' ');
  const it = noun.plural ? 'them' : 'it';
  const phrasal =
    words.length > 1 ? `${words[0]} ${it} ${words.slice(1).join(' ')}` : `${verb} ${it}`;
  const [and, et] = pick(random, [
    ['and', 'et'],
    ['and', 'et'],
    ['and then', 'puis'],
    [', then', ', puis'],
  ]);
  const repeated = et === 'puis' || chance(random, 0.1) ? `${qui === 'je' ? 'je' : qui} ` : '';
  const subject = ['je', 'tu', 'il', 'elle', 'nous', 'ils'].includes(qui) ? repeated : '';
  return {
    link: { pronoun: it, noun: headOf(noun) },
    english: `${who} ${took.replace('%1', one.english)} ${box.english}${and.startsWith(',') ? '' : ' '}${and} ${phrasal}`,
    french: `${avoir} ${pris} ${one.french} ${lead}${et.startsWith(',') ? '' : ' '}${et} ${subject}${them}${has} ${agreedPast}${tail ? ` ${tail}` : ''}`,
  };
}

/** "When the dog saw the car, it barked", "… it stopped". */
export function whenSeen(random) {
  let animal;
  let vehicle;
  const plural = drawPlural(random, 0.3);
  do {
    animal = some(random, ['animal'], { plural });
    vehicle = some(random, ['vehicle'], { plural });
  } while (animal.feminine === vehicle.feminine);
  const isAnimal = chance(random, 0.5);
  const noun = isAnimal ? animal : vehicle;
  const [verb, verbe] = pick(random, did[isAnimal ? 'animal' : 'vehicle']);
  const it = noun.plural ? 'they' : 'it';
  const il = `${noun.feminine ? 'elle' : 'il'}${noun.plural ? 's' : ''}`;
  const what = finite(agreed(verbe, noun), noun);
  const [saw, vu] = pick(random, [
    ['saw', 'a vu'],
    ['came near', "s'est approché* DE"],
    ['ran towards', 'a couru vers'],
    ['jumped in front of', 'a sauté devant'],
    ['heard', 'a entendu'],
  ]);
  const [subject, object] =
    chance(random, 0.7) || saw !== 'came near' ? [animal, vehicle] : [vehicle, animal];
  const first = `${subject.english} ${saw} ${object.english}`;
  const second = `${subject.french} ${withObject(finite(agreed(vu, subject), subject), object)}`;
  const link = { pronoun: it, noun: headOf(noun) };
  const drawn = pick(random, [
    { english: `when ${first}, ${it} ${verb}`, french: `quand ${second}, ${il} ${what}` },
    { english: `${first} and ${it} ${verb}`, french: `${second} et ${il} ${what}` },
    {
      english: `${first}. ${it === 'it' ? 'It' : 'They'} ${verb}`,
      french: `${second}. ${il[0].toUpperCase()}${il.slice(1)} ${what}`,
    },
    { english: `${first}, so ${it} ${verb}`, french: `${second}, alors ${il} ${what}` },
  ]);
  return { ...drawn, link };
}

/** "The soldiers took off the gloves because they were dirty." */
export function takesOff(random) {
  const who = some(random, ['person'], { plural: true });
  let what;
  do what = some(random, ['garment'], { plural: true, determiners: ['the', 'the', 'this'] });
  while (what.feminine === who.feminine);
  const isWho = chance(random, 0.5);
  const end = says(random, isWho ? who : what, isWho ? [said.humanState] : [said.dirty]);
  const [verb, verbe] = pick(
    random,
    split(
      'took off=a enlevé, removed=a retiré, washed=a lavé, threw away=a jeté, dropped=a laissé tomber, forgot=a oublié, sold=a vendu',
    ),
  );
  return join(
    random,
    `${who.english} ${verb} ${what.english}`,
    `${who.french} ${inPlural(verbe)} ${what.french}`,
    end,
  );
}

/** All of them, as often as their kinds differ. */
export function pronounLinks(random) {
  return pick(random, [
    tellsWhich,
    tellsWhich,
    tellsWhich,
    tellsWhich,
    tellsWhich,
    tellsWhich,
    tellsWhich,
    tellsWhich,
    putsInto,
    putsInto,
    putsInto,
    takesOut,
    takesOut,
    whenSeen,
    until,
    takesOff,
    takesOff,
  ])(random);
}
