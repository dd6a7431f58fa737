// Frames: participles, adjectives and pronouns that agree with a noun at a distance, comparisons, clauses of result,
// and tenses that the two languages divide differently.
import { adjectives, agree } from './adjectives.js';
import { auxiliary, french as conjugated, futureOf } from './conjugate.js';
import { headOf, nouns } from './nouns.js';
import { chance, elided, of, phrase, pick, to } from './phrases.js';
import { senses } from './senses.js';
import { name, someone } from './subjects.js';
import { split } from './times.js';
import { inventedPlace } from './words.js';

const a = (
  random,
  sense,
  { plural, determiners = ['the', 'the', 'the', 'own', 'own', 'this'] } = {},
) =>
  phrase(random, 'none', pick(random, senses[sense]), {
    determiners,
    described: 0,
    plural: plural ?? chance(random, 0.4),
  });
const ending = (noun) => `${noun.feminine ? 'e' : ''}${noun.plural ? 's' : ''}`;
const participle = (text, noun) =>
  text.endsWith('s') && !noun.feminine ? text : `${text}${ending(noun)}`;
const que = (next) => elided('que', next);
const capital = (text) => text[0].toUpperCase() + text.slice(1);

const people = split(
  `I=je=0=m, you=tu=1=m, he=il=2=m, she=elle=2=f, we=nous=3=m, you=vous=4=m, they=ils=5=m, my brother=mon frère=2=m, my sister=ma sœur=2=f, my aunt=ma tante=2=f
   our neighbors=nos voisins=5=m, his daughters=ses filles=5=f, the nurse=l_infirmière=2=f, the teacher=le professeur=2=m, my parents=mes parents=5=m, the girls=les filles=5=f
   the children=les enfants=5=m, her uncle=son oncle=2=m, my mother=ma mère=2=f, the boy=le garçon=2=m, his wife=sa femme=2=f, my friends=mes amis=5=m, my grandfather=mon grand-père=2=m`,
).map(([english, french, person, gender]) => ({
  english,
  french: french.replace(/_/g, "'"),
  person: Number(person),
  feminine: gender === 'f',
  plural: Number(person) >= 3,
}));
const third = ({ person }) => person === 2;

/** A name, or one of the above. */
const somebody = (random) => {
  if (chance(random, 0.75)) return pick(random, people);
  const { text, feminine } = name(random);
  return { english: text, french: text, person: 2, feminine, plural: false };
};
/** "je" and what follows. */
const clause = ({ french }, rest) => (french === 'je' ? elided('je', rest) : `${french} ${rest}`);

const passives = {
  garment:
    'washed=lavé, lost=perdu, torn=déchiré, sold=vendu, stolen=volé, forgotten=oublié, ironed=repassé, bought=acheté, sewn=cousu, found=retrouvé',
  valuable:
    'lost=perdu, stolen=volé, found=retrouvé, hidden=caché, sold=vendu, forgotten=oublié, broken=cassé, sent=envoyé, bought=acheté',
  document:
    'written=écrit, read=lu, lost=perdu, signed=signé, burned=brûlé, forgotten=oublié, sent=envoyé, translated=traduit, found=retrouvé, torn=déchiré',
  container:
    'opened=ouvert, closed=fermé, emptied=vidé, cleaned=nettoyé, lost=perdu, forgotten=oublié, moved=déplacé, damaged=endommagé, sold=vendu, filled=rempli',
  vehicle:
    'sold=vendu, repaired=réparé, stolen=volé, damaged=endommagé, destroyed=détruit, washed=lavé, parked=garé, delayed=retardé, found=retrouvé, towed away=emmené',
  bulky:
    'sold=vendu, moved=déplacé, repaired=réparé, delivered=livré, painted=peint, damaged=endommagé, bought=acheté, broken=cassé, destroyed=détruit',
  way: 'closed=fermé, repaired=réparé, blocked=bloqué, built=construit, cleaned=nettoyé, flooded=inondé',
  property:
    'built=construit, sold=vendu, destroyed=détruit, closed=fermé, bought=acheté, repaired=réparé, rebuilt=reconstruit, abandoned=abandonné, opened=ouvert, sold=vendu',
  fruit:
    'eaten=mangé, sold=vendu, washed=lavé, picked=cueilli, peeled=épluché, bought=acheté, cut=coupé, thrown away=jeté',
  animal:
    'found=retrouvé, lost=perdu, sold=vendu, seen=vu, fed=nourri, killed=tué, injured=blessé, caught=attrapé, saved=sauvé',
};
const passiveVerbs = Object.entries(passives).map(([sense, text]) => [sense, split(text)]);
const circumstances = split(
  `yesterday=hier, last night=hier soir, last week=la semaine dernière, this morning=ce matin, during the night=pendant la nuit, at the airport=à l_aéroport, during the war=pendant la guerre
   at the station=à la gare, by my uncle=par mon oncle, on the way here=en chemin, a long time ago=il y a longtemps, by mistake=par erreur, in the storm=dans la tempête, by the police=par la police
   on the beach=sur la plage, in the village=au village, in a week=en une semaine, two days ago=il y a deux jours, on Monday=lundi, before the holidays=avant les vacances, by her cousin=par sa cousine`,
).map((pair) => pair.map((text) => text.replace(/_/g, "'")));

/** "Their umbrellas were lost on the way to Cairo." */
export function wereDone(random) {
  const [sense, verbs] = pick(random, passiveVerbs);
  const noun = a(random, sense, { plural: chance(random, 0.6) });
  const [done, fait] = pick(random, verbs);
  const form = participle(fait, noun);
  const many = noun.plural;
  const [when, quand] = chance(random, 0.2)
    ? ((city) => [
        `on the way to ${city}`,
        `sur le chemin de ${city}`.replace(/de (?=[AEIOUÉ])/, "d'"),
      ])(inventedPlace(random))
    : pick(random, circumstances);
  const [be, être] = pick(random, [
    [many ? 'were' : 'was', many ? 'ont été' : 'a été'],
    [many ? 'were' : 'was', many ? 'ont été' : 'a été'],
    [many ? 'had been' : 'had been', many ? 'avaient été' : 'avait été'],
    [many ? 'were not' : 'was not', many ? "n'ont pas été" : "n'a pas été"],
  ]);
  return {
    english: `${noun.english} ${be} ${done} ${when}`,
    french: `${noun.french} ${être} ${form} ${quand}`,
  };
}

const natures = {
  garment: ['colour', 'thing'],
  dish: ['food'],
  fruit: ['food'],
  way: ['place'],
  sight: ['place'],
  animal: ['animal'],
  bulky: ['thing', 'colour'],
  valuable: ['thing'],
  vehicle: ['thing', 'colour'],
  person: ['person'],
  group: ['place'],
};
const natureList = Object.entries(natures);
const lengths = split(
  'short=court, long=long, cold=froid, hot=chaud, warm=chaud, dark=noir, quiet=calme, dry=sec, beautiful=beau',
);
const unequal = { long: 'longue', sec: 'sèche', beau: 'belle' };
const plurals = { beau: 'beaux' };
const times = split(
  'nights=nuits=f, days=jours=m, evenings=soirées=f, mornings=matinées=f, summers=étés=m, winters=hivers=m, holidays=vacances=f, weeks=semaines=f, months=mois=m, autumns=automnes=m',
);
const framing = split(
  'in July=en juillet, in winter=en hiver, in summer=en été, here=ici, in the mountains=à la montagne, in December=en décembre, by the sea=au bord de la mer, in our country=dans notre pays, in spring=au printemps, in May=en mai',
);

/** "In winter the mornings are cold and dark", "his shoes were dirty and wet". */
export function twoAdjectives(random) {
  if (chance(random, 0.35)) {
    const [english, french, gender] = pick(random, times);
    const feminine = gender === 'f';
    const form = (text) =>
      feminine
        ? `${unequal[text] ?? (text.endsWith('e') ? text : `${text}e`)}s`
        : (plurals[text] ?? (text.endsWith('s') ? text : `${text}s`));
    const [one, two] = [pick(random, lengths), pick(random, lengths)];
    if (one[1] === two[1]) return twoAdjectives(random);
    const [at, à] = pick(random, framing);
    const comma = chance(random, 0.5) ? ',' : '';
    const be = pick(random, [
      ['are', 'sont'],
      ['are', 'sont'],
      ['were', 'étaient'],
      ['are often', 'sont souvent'],
      ['are very', 'sont très'],
    ]);
    return {
      english: `${at}${comma} the ${english} ${be[0]} ${one[0]} and ${two[0]}`,
      french: `${à}, les ${french} ${be[1]} ${form(one[1])} et ${form(two[1])}`,
    };
  }
  const [sense, lists] = pick(random, natureList);
  const noun = a(random, sense, { plural: chance(random, 0.6) });
  const draw = () => pick(random, adjectives[pick(random, lists)]);
  const [one, two] = [draw(), draw()];
  if (one.english === two.english || one.masculine === two.masculine) return twoAdjectives(random);
  const many = noun.plural;
  const [be, être] = pick(random, [
    [many ? 'are' : 'is', many ? 'sont' : 'est'],
    [many ? 'were' : 'was', many ? 'étaient' : 'était'],
    [many ? 'are not' : 'is not', many ? 'ne sont pas' : "n'est pas"],
    [many ? 'seem' : 'seems', many ? 'semblent' : 'semble'],
    [many ? 'looked' : 'looked', many ? 'semblaient' : 'semblait'],
  ]);
  const [and, et] = / not$/.test(be)
    ? ['or', 'ni']
    : pick(random, [
        ['and', 'et'],
        ['and', 'et'],
        ['but', 'mais'],
      ]);
  return {
    english: `${noun.english} ${be} ${one.english} ${and} ${two.english}`,
    french: `${noun.french} ${être} ${agree(one, noun)} ${et} ${agree(two, noun)}`,
  };
}

const durations = split(
  `an hour=une heure, two hours=deux heures, ten minutes=dix minutes, half an hour=une demi-heure, three days=trois jours, a week=une semaine, six months=six mois, a year=un an
   ten years=dix ans, a long time=longtemps, two weeks=deux semaines, four years=quatre ans, several months=plusieurs mois, twenty minutes=vingt minutes, many years=de nombreuses années`,
);
const points = split(
  'Monday=lundi, this morning=ce matin, yesterday=hier, last year=l_année dernière, noon=midi, January=janvier, 2015=2015, last summer=l_été dernier, Sunday=dimanche',
).map((pair) => pair.map((text) => text.replace('_', "'")));
const lasting = split(
  `waiting=attendre=, waiting here=attendre=ici, living here=habiter=ici, working here=travailler=ici, sleeping=dormir=, learning French=apprendre=le français, playing the piano=jouer=du piano
   reading=lire=, crying=pleurer=, walking=marcher=, living in this village=vivre=dans ce village, working in this factory=travailler=dans cette usine, studying=étudier=
   cooking=cuisiner=, singing=chanter=, writing this letter=écrire=cette lettre, driving=conduire=, talking=parler=, waiting for the bus=attendre=le bus, watching television=regarder=la télévision`,
);
/** "We have been walking for two hours." */
export function since(random) {
  const who = somebody(random);
  const [doing, infinitive, rest] = pick(random, lasting);
  const verb = conjugated(infinitive);
  const [time, temps] = chance(random, 0.7)
    ? pick(random, durations).map((text, n) => `${n ? 'depuis' : 'for'} ${text}`)
    : pick(random, points).map((text, n) => `${n ? 'depuis' : 'since'} ${text}`);
  const has = third(who) ? 'has' : 'have';
  if (chance(random, 0.2)) {
    const [be, être] = pick(random, [
      ['known each other', 'se connaître'],
      ['been married', 'être marié'],
      ['been ill', 'être malade'],
    ]);
    if (être === 'être malade')
      return {
        english: `${who.english} ${has} ${be} ${time}`,
        french: `${clause(who, `${conjugated('être').present[who.person]} malade${who.plural && who.person !== 4 ? 's' : ''}`)} ${temps}`,
      };
    if (être === 'être marié')
      return {
        english: `${who.english} ${has} ${be} ${time}`,
        french: `${clause(who, `${conjugated('être').present[who.person]} marié${who.person === 4 ? '' : ending(who)}`)} ${temps}`,
      };
    return { english: `we have ${be} ${time}`, french: `nous nous connaissons ${temps}` };
  }
  return {
    english: `${who.english} ${has} been ${doing} ${time}`,
    french: `${clause(who, verb.present[who.person])}${rest ? ` ${rest}` : ''} ${temps}`,
  };
}

const gave = {
  garment:
    'bought=acheté, knitted=tricoté, sewed=cousu, gave me=donné=me, lent me=prêté=me, washed=lavé, wore=porté, made=fait, bought for me=acheté=me, knitted for me=tricoté=me, sewed for me=cousu=me, ironed=repassé',
  document:
    'wrote=écrit, sent me=envoyé=me, gave me=donné=me, read=lu, translated=traduit, signed=signé, showed me=montré=me, wrote to me=écrit=me, forgot=oublié, hid=caché',
  valuable:
    'gave me=donné=me, lost=perdu, bought=acheté, stole=volé, found=trouvé, hid=caché, sold=vendu, lent me=prêté=me, bought for me=acheté=me, broke=cassé, chose=choisi',
  dish: 'made=fait, prepared=préparé, cooked=fait cuire, ate=mangé, bought=acheté, ordered=commandé, brought=apporté, brought me=apporté=me',
  fruit:
    'bought=acheté, picked=cueilli, ate=mangé, gave me=donné=me, washed=lavé, brought=apporté, stole=volé, picked for me=cueilli=me',
  plant:
    'planted=planté, bought=acheté, gave me=donné=me, picked=cueilli, brought=apporté, chose=choisi, picked for me=cueilli=me',
  bulky:
    'bought=acheté, sold=vendu, painted=peint, repaired=réparé, broke=cassé, lent me=prêté=me, chose=choisi, made=fait, gave me=donné=me',
  vehicle:
    'bought=acheté, sold=vendu, repaired=réparé, stole=volé, lent me=prêté=me, washed=lavé, damaged=endommagé, chose=choisi',
};
const gaveVerbs = Object.entries(gave).map(([sense, text]) => [
  sense,
  split(text).filter(([, f]) => f !== 'fait cuire'),
]);
const outer = split(
  `I lost=j'ai perdu, I found=j'ai trouvé, I still have=j'ai encore, she forgot=elle a oublié, I like=j'aime, we sold=nous avons vendu, he broke=il a cassé, I am looking for=je cherche
   they stole=ils ont volé, I remember=je me souviens DE, do you like=aimes-tu, where is=où est, I cannot find=je ne trouve pas, she still uses=elle utilise encore, I will never forget=je n'oublierai jamais, he showed me=il m'a montré`,
);
/** "I lost the scarf that my aunt knitted for me", "the cherries that he picked were sour". */
export function thatWas(random) {
  const [sense, verbs] = pick(random, gaveVerbs);
  const noun = a(random, sense, { determiners: ['the', 'the', 'the', 'this'] });
  const [did, fait, me] = pick(random, verbs);
  let who = somebody(random);
  while (me && [0].includes(who.person)) who = somebody(random);
  const form = participle(fait, noun);
  const avoir = auxiliary(conjugated('donner'), who.person);
  const perfect =
    chance(random, 0.15) && me
      ? {
          english: `had ${did
            .replace(/^gave/, 'given')
            .replace(/^wrote/, 'written')
            .replace(/^showed/, 'shown')
            .replace(/^chose/, 'chosen')}`,
          french: {
            ai: 'avais',
            as: 'avais',
            a: 'avait',
            avons: 'avions',
            avez: 'aviez',
            ont: 'avaient',
          }[avoir],
        }
      : { english: did, french: avoir };
  const that = chance(random, 0.65) ? 'that ' : '';
  const verb = `${me ? "m'" : ''}${perfect.french} ${form}`;
  const inner = {
    english: `${noun.english} ${that}${who.english} ${perfect.english}`,
    french: `${noun.french} ${que(clause(who, verb))}`,
  };
  if (chance(random, 0.45)) {
    const [lists] = [natures[sense] ?? ['colour']];
    const adjective = pick(random, adjectives[pick(random, lists)]);
    const many = noun.plural;
    const [be, être] = pick(random, [
      [many ? 'are' : 'is', many ? 'sont' : 'est'],
      [many ? 'were' : 'was', many ? 'étaient' : 'était'],
    ]);
    return {
      english: `${inner.english} ${be} ${adjective.english}`,
      french: `${inner.french} ${être} ${agree(adjective, noun)}`,
    };
  }
  const [mine, mien] = pick(random, outer);
  const is = noun.plural ? mine.replace('where is', 'where are') : mine;
  const est = noun.plural ? mien.replace('où est', 'où sont') : mien;
  const question = /^(where|do)/.test(mine);
  return {
    english: `${is} ${inner.english}`,
    french: / DE$/.test(est) ? `${est.slice(0, -3)} ${of(inner.french)}` : `${est} ${inner.french}`,
    ...(question && { mark: '?' }),
  };
}

const whoDid = split(
  'helped=aidé, called=appelé, invited=invité, saw=vu, followed=suivi, found=trouvé, saved=sauvé, thanked=remercié, welcomed=accueilli, met=rencontré, looked after=soigné',
);
const languages = split(
  'Portuguese=portugais, French=français, English=anglais, German=allemand, Spanish=espagnol, Arabic=arabe, Italian=italien, Chinese=chinois, Russian=russe',
);
const helpers = [...senses.person, ...nouns.person];
/** "The waitress who helped us speaks Spanish." */
export function whoHelped(random) {
  const plural = chance(random, 0.25);
  const who = phrase(random, 'none', pick(random, helpers), {
    determiners: ['the'],
    described: 0,
    plural,
  });
  const [did, fait] = pick(random, whoDid);
  const [us, nous, form] = pick(random, [
    ['us', 'nous', `${fait}s`],
    ['me', 'me', fait],
    ['them', 'les', `${fait}s`],
    ['him', 'le', fait],
    ['her', 'la', `${fait}e`],
    ['us', 'nous', `${fait}s`],
  ]);
  const has = plural ? 'ont' : 'a';
  const clitic = /e$|a$/.test(nous) ? `${nous.slice(0, -1)}'${has}` : `${nous} ${has}`;
  const e = ending(who);
  const [language, langue] = pick(random, languages);
  const city = inventedPlace(random);
  const [is, est] = plural ? ['', 'nt'] : ['s', ''];
  const end = pick(random, [
    [`speak${is} ${language}`, `parle${est} ${langue}`],
    [`live${is} in ${city}`, `habite${est} à ${city}`],
    [
      plural ? 'are very kind' : 'is very kind',
      plural
        ? `sont très gentil${who.feminine ? 'le' : ''}s`
        : `est très gentil${who.feminine ? 'le' : ''}`,
    ],
    [`work${is} at the hospital`, `travaille${est} à l'hôpital`],
    ['left this morning', `${plural ? 'sont' : 'est'} parti${e} ce matin`],
    [plural ? 'were tired' : 'was tired', plural ? `étaient fatigué${e}` : `était fatigué${e}`],
    [
      `come${is} from ${city}`,
      `vien${plural ? 'nent' : 't'} de ${city}`.replace(/de (?=[AEIOUÉ])/, "d'"),
    ],
    [
      plural ? 'have already gone' : 'has already gone',
      `${plural ? 'sont' : 'est'} déjà parti${e}`,
    ],
  ]);
  return {
    english: `${who.english} who ${did} ${us} ${end[0]}`,
    french: `${who.french} qui ${clitic} ${form} ${end[1]}`,
  };
}

const owned = {
  garment:
    'wear=worn=porté, wash=washed=lavé, lose=lost=perdu, iron=ironed=repassé, forget=forgotten=oublié, buy=bought=acheté, sell=sold=vendu',
  document:
    'read=read=lu, sign=signed=signé, send=sent=envoyé, finish=finished=fini, forget=forgotten=oublié, lose=lost=perdu, write=written=écrit',
  valuable:
    'lose=lost=perdu, find=found=trouvé, sell=sold=vendu, break=broken=cassé, hide=hidden=caché, forget=forgotten=oublié, see=seen=vu, take=taken=pris',
  fruit:
    'eat=eaten=mangé, buy=bought=acheté, wash=washed=lavé, peel=peeled=épluché, pick=picked=cueilli',
  dish: 'eat=eaten=mangé, order=ordered=commandé, taste=tasted=goûté, buy=bought=acheté, finish=finished=fini',
  vehicle:
    'sell=sold=vendu, repair=repaired=réparé, buy=bought=acheté, wash=washed=lavé, see=seen=vu',
  animal:
    'see=seen=vu, find=found=trouvé, feed=fed=nourri, catch=caught=attrapé, hear=heard=entendu, sell=sold=vendu',
  bulky:
    'sell=sold=vendu, repair=repaired=réparé, buy=bought=acheté, paint=painted=peint, move=moved=déplacé',
};
const ownedVerbs = Object.entries(owned).map(([sense, text]) => [sense, split(text)]);
const starts = split(
  `he saw=il a vu, she found=elle a trouvé, I bought=j'ai acheté, we took=nous avons pris, he picked up=il a ramassé, they brought=ils ont apporté, my sister chose=ma sœur a choisi, I received=j'ai reçu`,
);
/** "I bought the skirt but I have not worn it yet", "where are the pears? I have eaten them". */
export function haveThem(random) {
  const [sense, verbs] = pick(random, ownedVerbs);
  const noun = a(random, sense);
  const [, done, fait] = pick(random, verbs);
  const form = participle(fait, noun);
  const who = somebody(random);
  const has = third(who) ? 'has' : 'have';
  const avoir = auxiliary(conjugated('donner'), who.person);
  const them = noun.plural ? 'them' : 'it';
  const les = noun.plural ? `les ${avoir}` : `l'${avoir}`;
  const them_ = sense === 'animal' && !noun.plural ? 'it' : them;
  const affirmed = `${clause(who, les).replace("j'les", 'je les').replace("j'l'", "je l'")} ${form}`;
  const denied = (word) =>
    `${who.french === 'je' ? 'je ne' : `${who.french} ne`} ${les} ${word} ${form}`;
  const are = noun.plural ? ['are', 'sont'] : ['is', 'est'];
  const [start, commence] = pick(random, starts);
  const link = { pronoun: them_, noun: headOf(noun) };
  return pick(random, [
    {
      link,
      english: `where ${are[0]} ${noun.english}? ${capital(who.english)} ${has} ${done} ${them_}`,
      french: `où ${are[1]} ${noun.french} ? ${capital(affirmed)}`,
    },
    {
      link,
      english: `${start} ${noun.english}, but ${who.english} ${has} not ${done} ${them_} yet`,
      french: `${commence} ${noun.french}, mais ${denied('pas encore')}`,
    },
    {
      english: `${who.english} ${has} already ${done} ${noun.english}`,
      french: `${clause(who, `${avoir} déjà ${fait} ${noun.french}`)}`,
    },
    {
      english: `I don't know where ${noun.english} ${are[0]}; ${who.english} ${has} never ${done} ${them_}`,
      french: `je ne sais pas où ${are[1]} ${noun.french} ; ${denied('jamais')}`,
    },
    {
      english: `${who.english} ${has} lost ${noun.english} and I ${fait === 'perdu' ? 'saw' : 'found'} ${them_} this morning`,
      french: `${clause(who, `${avoir} perdu ${noun.french}`)} et je ${noun.plural ? 'les ai' : "l'ai"} ${participle(fait === 'perdu' ? 'vu' : 'trouvé', noun)} ce matin`,
    },
  ]);
}

const likings = split(
  'I prefer=je préfère, she prefers=elle préfère, he prefers=il préfère, we prefer=nous préférons, my sister prefers=ma sœur préfère, they prefer=ils préfèrent, do you prefer=préfères-tu',
);
/** "I prefer yellow pears to green ones." */
export function prefers(random) {
  const sense = pick(random, ['fruit', 'garment', 'vehicle', 'plant', 'animal', 'bulky']);
  const noun = phrase(random, 'none', pick(random, senses[sense]), {
    determiners: ['general'],
    described: 0,
    plural: true,
  });
  const [one, two] = [pick(random, adjectives.colour), pick(random, adjectives.colour)];
  if (one.masculine === two.masculine) return prefers(random);
  const [prefer, préfère] = pick(random, likings);
  const mark = prefer.startsWith('do') ? { mark: '?' } : {};
  const bare = noun.english.replace(/^the /, '');
  const [first, second] = [agree(one, noun), agree(two, noun)];
  if (chance(random, 0.3) && !mark.mark)
    return {
      english: `the ${one.english} ${bare} are better than the ${two.english} ones`,
      french: `${noun.french} ${first} sont meilleur${ending(noun)} que les ${second}`,
    };
  const the = chance(random, 0.3) ? 'the ' : '';
  return {
    english: `${prefer} ${the}${one.english} ${bare} ${mark.mark ? `or ${the}${two.english} ones` : `to ${the}${two.english} ones`}`,
    french: `${préfère} ${noun.french} ${first} ${mark.mark ? `ou les ${second}` : `aux ${second}`}`,
    ...mark,
  };
}

const lates = split(
  'half an hour=une demi-heure, ten minutes=dix minutes, an hour=une heure, two hours=deux heures, five minutes=cinq minutes, a quarter of an hour=un quart d_heure, three days=trois jours, a week=une semaine, twenty minutes=vingt minutes, a day=un jour',
).map((pair) => pair.map((text) => text.replace('_', "'")));
/** "She arrived an hour late again." */
export function arrivesLate(random) {
  const who = chance(random, 0.2)
    ? a(random, 'vehicle', { determiners: ['the'] })
    : somebody(random);
  const person = who.person ?? (who.plural ? 5 : 2);
  const [time, temps] = pick(random, lates);
  const [late, retard] = chance(random, 0.75) ? ['late', 'de retard'] : ['early', "d'avance"];
  const again = chance(random, 0.3);
  const e = person === 4 ? '' : ending(who);
  const be = conjugated('être').present[person];
  return {
    english: `${who.english} arrived ${time} ${late}${again ? ' again' : ''}`,
    french: `${clause(who, `${be} ${again ? 'encore ' : ''}arrivé${e}`)} avec ${temps} ${retard}`,
  };
}

const more = split(
  'faster=rapide, bigger=grand, older=vieux/vieille, heavier=lourd, longer=long/longue, smaller=petit, newer=récent, stronger=solide, cheaper=bon marché, more expensive=cher, more comfortable=confortable, more beautiful=beau/belle, cleaner=propre, dirtier=sale, wider=large, lighter=léger/légère',
).map(([english, text]) => {
  const [
    masculine,
    feminine = /e$/.test(masculine)
      ? masculine
      : masculine === 'cher'
        ? 'chère'
        : masculine.startsWith('bon')
          ? masculine
          : `${masculine}e`,
  ] = text.split('/');
  return { english, masculine, feminine };
});
const compared = (adjective, noun) => {
  const form = noun.feminine ? adjective.feminine : adjective.masculine;
  return noun.plural && !/[sx]$/.test(form) && !form.startsWith('bon')
    ? form === 'beau'
      ? 'beaux'
      : `${form}s`
    : form;
};
/** "My suitcase is heavier than this basket", "this road is wider than that one". */
export function comparing(random) {
  const sense = pick(random, ['vehicle', 'bulky', 'garment', 'container', 'valuable', 'property']);
  const noun = a(random, sense);
  const other = a(random, sense, { plural: noun.plural });
  if (noun.noun.english === other.noun.english) return comparing(random);
  const adjective = pick(random, more);
  const many = noun.plural;
  const [be, être] = many ? ['are', 'sont'] : ['is', 'est'];
  const form = compared(adjective, noun);
  const much = chance(random, 0.2) ? ['much ', 'beaucoup '] : ['', ''];
  const plus = adjective.masculine === 'bon marché' ? 'meilleur marché' : `plus ${form}`;
  const bare = noun.noun;
  const celui = noun.feminine ? 'celle' : 'celui';
  const choice = random();
  if (choice < 0.25 && !many) {
    const near = phrase(random, 'none', bare, {
      determiners: ['this'],
      described: 0,
      plural: false,
    });
    return {
      english: `${near.english.replace(/^that/, 'this')} is ${much[0]}${adjective.english} than that one`,
      french: `${near.french} est ${much[1]}${plus} que ${celui}-là`,
    };
  }
  if (choice < 0.4 && !many && adjective.masculine !== 'bon marché') {
    const [place, lieu] = pick(
      random,
      split('in the village=du village, in the world=du monde, in the town=de la ville'),
    );
    const plain = adjective.english.replace(/^more /, 'most ');
    const superlative = plain.startsWith('most') ? plain : plain.replace(/er$/, 'est');
    const article = noun.feminine ? 'la' : 'le';
    const early = /^(grand|petit|vieux|beau|long)$/.test(adjective.masculine);
    const before = phrase(random, 'none', bare, {
      determiners: ['the'],
      described: 0,
      plural: false,
    });
    return {
      english: `it is the ${superlative} ${bare.english} ${place}`,
      french: early
        ? `c'est ${article} plus ${form} ${bare.french} ${lieu}`
        : `c'est ${before.french} ${article} plus ${form} ${lieu}`,
    };
  }
  return {
    english: `${noun.english} ${be} ${much[0]}${adjective.english} than ${other.english}`,
    french: `${noun.french} ${être} ${much[1]}${plus} ${que(other.french)}`,
  };
}

const future = split(
  `call you=t'appeler, write to you=t'écrire, help you=t'aider, tell you=te le dire, eat=manger, leave=partir, wait for you=t'attendre, pay you=te payer, wake you up=te réveiller`,
);
const whens = split(
  'arrive=arriver, arrive in CITY=arriver à CITY, come home=rentrer, finish my work=finir mon travail, have time=avoir le temps, get to CITY=arriver à CITY, hear the news=apprendre la nouvelle, see the doctor=voir le médecin, find the key=trouver la clé, am ready=être prêt, am in CITY=être à CITY, go to the market=aller au marché, leave CITY=quitter CITY, open the shop=ouvrir le magasin, am old=être vieux',
);
/** "I will write to you when I arrive in Oslo." */
export function whenI(random) {
  const city = inventedPlace(random);
  const [english, french] = pick(random, whens).map((text) => text.replace('CITY', city));
  const [infinitive, ...rest] = french.split(' ');
  const end = [futureOf(conjugated(infinitive), 0), ...rest].join(' ');
  const [will, vais] = pick(random, future);
  const clitic = /^(t'|te le |te )?(.*)$/.exec(vais);
  const verb = futureOf(conjugated(clitic[2]), 0);
  const first = clitic[1] ? `je ${clitic[1]}${verb}` : elided('je', verb);
  const second = `quand ${elided('je', end)}`;
  const contracted = chance(random, 0.3) ? "I'll" : 'I will';
  return chance(random, 0.7)
    ? { english: `${contracted} ${will} when I ${english}`, french: `${first} ${second}` }
    : { english: `when I ${english}, ${contracted} ${will}`, french: `${second}, ${first}` };
}

/** "His sons look exactly like their father." */
export function looksLike(random) {
  const one = someone(random);
  const plural = one.person === 5 || one.plural;
  if (one.person !== 2 && one.person !== 5) return looksLike(random);
  const other = phrase(random, 'family', pick(random, nouns.family), {
    determiners: ['own'],
    described: 0,
    plural: false,
  });
  const [how, comment] = pick(random, [
    ['', ''],
    [' exactly', ' exactement'],
    [' just', ' tout à fait'],
    [' a lot', ' beaucoup'],
  ]);
  return {
    english: `${one.english} look${plural ? '' : 's'}${how} like ${other.english}`,
    french: `${one.french} ressemble${plural ? 'nt' : ''}${comment} ${to(other.french)}`,
  };
}

const meals = split(
  'for dinner=au dîner, for lunch=au déjeuner, for breakfast=au petit déjeuner, last night=hier soir, at noon=à midi, on Sunday=dimanche',
);
/** "We had rice and beans for dinner." */
export function hadMeal(random) {
  const who = somebody(random);
  const part = ({ french, feminine }) =>
    /^[aeiouhéèêœ]/i.test(french) && !/^(haricot|hamburger)/.test(french)
      ? `de l'${french}`
      : `${feminine ? 'de la' : 'du'} ${french}`;
  const mass = () => {
    const noun = pick(
      random,
      nouns.mass.filter(({ french }) => !/(épinards|pâtes|fruits)$/.test(french)),
    );
    return { english: noun.english, french: part(noun) };
  };
  const many = () => {
    const noun = phrase(random, 'none', pick(random, nouns.food), {
      determiners: ['a'],
      described: 0,
      plural: true,
    });
    const fried = chance(random, 0.25) ? pick(random, adjectives.food) : null;
    return fried
      ? {
          english: `${fried.english} ${noun.english.replace(/^some /, '')}`,
          french: `${noun.french} ${agree(fried, noun)}`,
        }
      : { english: noun.english.replace(/^some /, ''), french: noun.french };
  };
  const cooked = () => {
    const noun = pick(
      random,
      nouns.mass.filter(({ french }) => /^(poisson|viande|riz|poulet|porc|bœuf)$/.test(french)),
    );
    const how = pick(
      random,
      adjectives.food.filter(({ english }) =>
        /fried|cold|raw|dried|spicy|hot|frozen/.test(english),
      ),
    );
    return {
      english: `${how.english} ${noun.english}`,
      french: `${part(noun)} ${agree(how, noun)}`,
    };
  };
  const [one, two] = [pick(random, [mass, many, cooked])(), pick(random, [mass, many])()];
  if (one.english.endsWith(two.english)) return hadMeal(random);
  const [when, quand] = pick(random, meals);
  return {
    english: `${who.english} had ${one.english} and ${two.english} ${when}`,
    french: `${clause(who, `${auxiliary(conjugated('donner'), who.person)} mangé`)} ${one.french} et ${two.french} ${quand}`,
  };
}

const results = {
  bulky: [
    [
      'heavy=lourd, big=grand, wide=large',
      'lift=soulever, move=déplacer, carry=porter, pull=tirer',
    ],
  ],
  container: [
    [
      'heavy=lourd, full=plein, big=grand',
      'lift=soulever, close=fermer, move=déplacer, carry=porter',
    ],
  ],
  dish: [
    [
      'hot=chaud, salty=salé, bad=mauvais, spicy=épicé',
      'eat=manger, taste=goûter, finish=finir, touch=toucher',
    ],
  ],
  fruit: [['hard=dur, sour=acide, small=petit', 'eat=manger, peel=éplucher, cut=couper']],
  garment: [
    [
      'dirty=sale, old=vieux, small=petit, wet=mouillé',
      'wear=porter, wash=laver, sell=vendre, clean=nettoyer',
    ],
  ],
  document: [
    [
      'long=long, complicated=compliqué, old=vieux',
      'read=lire, understand=comprendre, copy=copier, finish=finir',
    ],
  ],
  valuable: [
    [
      'expensive=cher, old=vieux, small=petit',
      'buy=acheter, sell=vendre, find=trouver, touch=toucher',
    ],
  ],
  vehicle: [
    [
      'old=vieux, expensive=cher, slow=lent',
      'sell=vendre, drive=conduire, buy=acheter, repair=réparer',
    ],
  ],
};
const resultList = Object.entries(results);
const irregular = { vieux: 'vieille', long: 'longue', cher: 'chère', mauvais: 'mauvaise' };
/** "The trunk was so heavy that nobody could lift it." */
export function soThat(random) {
  const [sense, [[qualities, verbs]]] = pick(random, resultList);
  const noun = a(random, sense);
  const [quality, qualité] = pick(random, split(qualities));
  const [verb, verbe] = pick(random, split(verbs));
  const feminine = noun.feminine
    ? (irregular[qualité] ?? (qualité.endsWith('e') ? qualité : `${qualité}e`))
    : qualité;
  const form = noun.plural && !/[sx]$/.test(feminine) ? `${feminine}s` : feminine;
  const many = noun.plural;
  const them = many ? 'them' : 'it';
  const vowel = /^[aeiouéèh]/.test(verbe);
  const les = many ? 'les ' : vowel ? "l'" : noun.feminine ? 'la ' : 'le ';
  const was = many ? ['were', 'étaient'] : ['was', 'était'];
  const [nobody, personne] = pick(random, [
    ['nobody could', "personne n'a pu"],
    ['I could not', "je n'ai pas pu"],
    ['we could not', "nous n'avons pas pu"],
    ["she couldn't", "elle n'a pas pu"],
    ['no one wanted to', 'personne ne voulait'],
    ['they could not', "ils n'ont pas pu"],
  ]);
  return {
    link: { pronoun: them, noun: headOf(noun) },
    english: `${noun.english} ${was[0]} so ${quality} that ${nobody} ${verb} ${them}`,
    french: `${noun.french} ${was[1]} si ${form} ${que(personne)} ${les}${verbe}`,
  };
}

const lent = split('borrowed=emprunté, stole=volé, bought=acheté, hid=caché, took=pris');
/** "Yusuf borrowed a hammer from Ingrid." */
export function borrowed(random) {
  const [from, whom] = [somebody(random), name(random)];
  const [did, fait] = pick(random, lent);
  const sense = pick(random, ['bulky', 'document', 'garment', 'valuable', 'container', 'vehicle']);
  const noun = a(random, sense, { determiners: ['a', 'a', 'the', 'this'], plural: false });
  return {
    english: `${from.english} ${did} ${noun.english} from ${whom.text}`,
    french: `${clause(from, `${auxiliary(conjugated('donner'), from.person)} ${fait} ${noun.french}`)} à ${whom.text}`,
  };
}
