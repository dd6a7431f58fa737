// Numbers, years, times, prices and names in frames of their own, and what is to be copied as it is.
import { pick, chance, phrase } from './phrases.js';
import { name } from './subjects.js';
import { nouns } from './nouns.js';
import { otherNames } from './names.js';
import { days, inventedName, months } from './words.js';

const upTo = (random, most, least = 1) => least + Math.floor(random() * (most - least + 1));
/** Of one to eight digits, as many of each length. */
const digits = (random, least = 1, most = 7) => {
  const length = upTo(random, most, least);
  return (
    String(upTo(random, 9)) + Array.from({ length: length - 1 }, () => upTo(random, 9, 0)).join('')
  );
};
const grouped = (text, mark) => text.replace(/\B(?=(\d{3})+$)/g, mark);
const year = (random) =>
  chance(random, 0.75) ? upTo(random, 2099, 1500) : upTo(random, 1499, 100);
const place = (random) =>
  chance(random, 0.5) ? pick(random, otherNames.slice(0, 90)) : inventedName(random, false);

const numbered = [
  (r, n) => [`I have ${n} NOUNS`, `j'ai ${n} NOMS`],
  (r, n) => [`we counted ${n} NOUNS`, `nous avons compté ${n} NOMS`],
  (r, n) => [`there are ${n} NOUNS in the book`, `il y a ${n} NOMS dans le livre`],
  (r, n) => [`he sold ${n} NOUNS`, `il a vendu ${n} NOMS`],
  (r, n) => [`NAME bought ${n} NOUNS`, `NAME a acheté ${n} NOMS`],
  (r, n) => [`they need ${n} NOUNS`, `ils ont besoin de ${n} NOMS`],
  (r, n) => [`page ${n}`, `page ${n}`],
  (r, n) => [`open the book at page ${n}`, `ouvrez le livre à la page ${n}`],
  (r, n) => [`the answer is ${n}`, `la réponse est ${n}`],
  (r, n) => [`his phone number is ${n}`, `son numéro de téléphone est le ${n}`],
  (r, n) => [`room ${n} is on the left`, `la chambre ${n} est à gauche`],
  (r, n) => [`my room number is ${n}`, `mon numéro de chambre est le ${n}`],
  (r, n) => [`take bus ${n}`, `prenez le bus ${n}`],
  (r, n) => [`bus number ${n} goes to PLACE`, `le bus numéro ${n} va à PLACE`],
  (r, n) => [`it costs ${n} dollars`, `ça coûte ${n} dollars`],
  (r, n) => [`this costs ${n} euros`, `ceci coûte ${n} euros`],
  (r, n) => [`NAME paid ${n} euros for it`, `NAME l'a payé ${n} euros`],
  (r, n) => [`I paid ${n} dollars`, `j'ai payé ${n} dollars`],
  (r, n) => [`the village has ${n} inhabitants`, `le village a ${n} habitants`],
  (r, n) => [`${n} people live in PLACE`, `${n} personnes vivent à PLACE`],
  (r, n) => [`the tower is ${n} metres high`, `la tour mesure ${n} mètres de haut`],
  (r, n) => [`we drove ${n} kilometres`, `nous avons roulé ${n} kilomètres`],
  (r, n) => [`the box weighs ${n} kilos`, `la boîte pèse ${n} kilos`],
  (r, n) => [`NAME is ${n} years old`, `NAME a ${n} ans`],
  (r, n) => [`I am ${n} years old`, `j'ai ${n} ans`],
  (r, n) => [`my NOUN is ${n} years old`, `POSS a ${n} ans`],
  (r, n) => [`the train number is ${n}`, `le numéro du train est le ${n}`],
  (r, n) => [`press ${n}`, `appuyez sur le ${n}`],
  (r, n) => [`the code is ${n}`, `le code est ${n}`],
  (r, n) => [`my address is ${n} PLACE Street`, `mon adresse est ${n} PLACE Street`],
  (r, n) => [`we waited ${n} minutes`, `nous avons attendu ${n} minutes`],
  (r, n) => [`${n} students passed the exam`, `${n} étudiants ont réussi l'examen`],
  (r, n) => [`the temperature is ${n} degrees`, `la température est de ${n} degrés`],
  (r, n) => [`NAME ran ${n} metres`, `NAME a couru ${n} mètres`],
  (r, n) => [`only ${n} are left`, `il n'en reste que ${n}`],
  (r, n) => [`there were ${n} of us`, `nous étions ${n}`],
  (r, n) => [`${n}`, `${n}`],
  (r, n) => [`number ${n}`, `numéro ${n}`],
  (r, n) => [`the ${n} NOUNS`, `les ${n} NOMS`],
  (r, n) => [`${n} NOUNS and a NOUN2`, `${n} NOMS et NOM2`],
  (r, n) => [`he wrote ${n} letters to NAME`, `il a écrit ${n} lettres à NAME`],
  (r, n) => [`flight ${n} to PLACE is late`, `le vol ${n} pour PLACE est en retard`],
  (r, n) => [
    `it is ${n} kilometres from PLACE to PLACE2`,
    `il y a ${n} kilomètres de PLACE à PLACE2`,
  ],
  (r, n) => [`call me at ${n}`, `appelez-moi au ${n}`],
  (r, n) => [`the bridge is ${n} years old`, `le pont a ${n} ans`],
  (r, n) => [`${n} plus ${digits(r, 1, 3)}`, null],
  (r, n) => [`the ship carried ${n} passengers`, `le navire transportait ${n} passagers`],
];

const dated = [
  (y) => [`I was born in ${y}`, `je suis né en ${y}`],
  (y) => [`NAME was born in ${y}`, `NAME est né en ${y}`],
  (y) => [`he died in ${y}`, `il est mort en ${y}`],
  (y) => [`the war began in ${y}`, `la guerre a commencé en ${y}`],
  (y) => [`the house was built in ${y}`, `la maison a été construite en ${y}`],
  (y) => [`the church was built in ${y}`, `l'église a été construite en ${y}`],
  (y) => [`they got married in ${y}`, `ils se sont mariés en ${y}`],
  (y) => [`in ${y} we moved to PLACE`, `en ${y}, nous avons déménagé à PLACE`],
  (y) => [`NAME came to PLACE in ${y}`, `NAME est venu à PLACE en ${y}`],
  (y) => [`it happened in ${y}`, `c'est arrivé en ${y}`],
  (y) => [`the film came out in ${y}`, `le film est sorti en ${y}`],
  (y) => [`the bridge has been closed since ${y}`, `le pont est fermé depuis ${y}`],
  (y) => [`NAME has lived here since ${y}`, `NAME vit ici depuis ${y}`],
  (y) => [`the king died in ${y}`, `le roi est mort en ${y}`],
  (y) => [`the treaty of PLACE was signed in ${y}`, `le traité de PLACE a été signé en ${y}`],
  (y) => [`in MONTH ${y}`, `en MOIS ${y}`],
  (y) => [`NAME died in MONTH ${y}`, `NAME est mort en MOIS ${y}`],
  (y) => [`the museum opened in MONTH ${y}`, `le musée a ouvert en MOIS ${y}`],
  (y) => [`the law was changed in MONTH ${y}`, `la loi a été modifiée en MOIS ${y}`],
  (y) => [`it was MONTH ${y}`, `c'était en MOIS ${y}`],
  (y) => [`on DAY, MONTH 14, ${y}`, `le JOUR 14 MOIS ${y}`],
  (y) => [`the meeting is on MONTH 3, ${y}`, `la réunion a lieu le 3 MOIS ${y}`],
];

const timed = [
  (en, fr) => [`the train leaves at ${en}`, `le train part à ${fr}`],
  (en, fr) => [`the bus arrives at ${en}`, `le bus arrive à ${fr}`],
  (en, fr) => [`I get up at ${en}`, `je me lève à ${fr}`],
  (en, fr) => [`the shop closes at ${en}`, `le magasin ferme à ${fr}`],
  (en, fr) => [`we eat at ${en}`, `nous mangeons à ${fr}`],
  (en, fr) => [`the film starts at ${en}`, `le film commence à ${fr}`],
  (en, fr) => [`it is ${en}`, `il est ${fr}`],
  (en, fr) => [`NAME will come at ${en}`, `NAME viendra à ${fr}`],
  (en, fr) => [`let's meet at ${en}`, `retrouvons-nous à ${fr}`],
  (en, fr) => [`the museum opens at ${en} on DAY`, `le musée ouvre à ${fr} le JOUR`],
  (en, fr) => [`wake me up at ${en}`, `réveille-moi à ${fr}`],
  (en, fr) => [`the meeting begins at ${en}`, `la réunion commence à ${fr}`],
  (en, fr) => [`school starts at ${en}`, `l'école commence à ${fr}`],
];

const named = [
  ['my name is NAME', "je m'appelle NAME"],
  ['her name is NAMEW', "elle s'appelle NAMEW"],
  ['his name is NAMEM', "il s'appelle NAMEM"],
  ['NAME and NAME2 are friends', 'NAME et NAME2 sont amis'],
  ['NAME knows NAME2', 'NAME connaît NAME2'],
  ['have you met NAME', 'as-tu rencontré NAME?'],
  ['NAME lives in PLACE', 'NAME vit à PLACE'],
  ['I saw NAME and NAME2 in PLACE', "j'ai vu NAME et NAME2 à PLACE"],
  ['NAME loves NAME2', 'NAME aime NAME2'],
  ['this is my friend NAME', 'voici mon ami NAME'],
  ['NAME called NAME2 yesterday', 'NAME a appelé NAME2 hier'],
  ['where is NAME', 'où est NAME?'],
  ['NAME is taller than NAME2', 'NAME est plus grand que NAME2'],
  ['we went to PLACE with NAME', 'nous sommes allés à PLACE avec NAME'],
  ['NAME comes from PLACE', 'NAME vient de PLACE'],
  ['NAME and NAME2 went to PLACE', 'NAME et NAME2 sont allés à PLACE'],
  ['does NAME like PLACE', 'est-ce que NAME aime PLACE?'],
  ['I am waiting for NAME', "j'attends NAME"],
  ['I wrote to NAME', "j'ai écrit à NAME"],
  ['NAME told NAME2 a story', 'NAME a raconté une histoire à NAME2'],
  ['NAME is my neighbour', 'NAME est mon voisin'],
  ['NAME helped NAME2', 'NAME a aidé NAME2'],
  ['hello, NAME', 'bonjour, NAME'],
  ['NAME NAME3', 'NAME NAME3'],
  ['Mr NAME3 is late', 'M. NAME3 est en retard'],
  ['Mrs NAME3 is ill', 'Mme NAME3 est malade'],
  ['Dr NAME3 lives in PLACE', 'le docteur NAME3 vit à PLACE'],
  ['NAME NAME3 was born in PLACE', 'NAME NAME3 est né à PLACE'],
  ['PLACE is a beautiful city', 'PLACE est une belle ville'],
  ['how far is PLACE from PLACE2', 'à quelle distance PLACE est-elle de PLACE2?'],
  ["NAME's house is near PLACE", 'la maison DENAME est près de PLACE'],
  ['I flew from PLACE to PLACE2', "j'ai pris l'avion de PLACE à PLACE2"],
  ['NAME, NAME2 and I', 'NAME, NAME2 et moi'],
  ['the train to PLACE has left', 'le train pour PLACE est parti'],
  ['NAME plays with NAME2', 'NAME joue avec NAME2'],
  ['NAME invited NAME2 to PLACE', 'NAME a invité NAME2 à PLACE'],
  ['I speak to NAME every day', 'je parle à NAME tous les jours'],
  ['NAME is with NAME2', 'NAME est avec NAME2'],
  ['NAME asked NAME2 a question', 'NAME a posé une question à NAME2'],
  ['who is NAME', 'qui est NAME?'],
  ['NAME and NAME2 live in PLACE', 'NAME et NAME2 vivent à PLACE'],
  ['my cousin NAME is coming tomorrow', 'ma cousine NAMEW vient demain'],
];

const timeOf = (random) => {
  const hour = upTo(random, 12);
  const minutes = pick(random, [0, 0, 15, 30, 45, 5, 10, 20, upTo(random, 59)]);
  const hours = hour === 1 ? '1 heure' : `${hour} heures`;
  if (chance(random, 0.35)) return [`${hour} o'clock`, hours];
  const evening = chance(random, 0.3)
    ? pick(random, [
        [' in the morning', ' du matin'],
        [' in the evening', ' du soir'],
        [' a.m.', ' du matin'],
        [' p.m.', ' du soir'],
      ])
    : ['', ''];
  if (minutes === 0) return [`${hour}${evening[0]}`, `${hours}${evening[1]}`];
  const minute = String(minutes).padStart(2, '0');
  return [`${hour}:${minute}${evening[0]}`, `${hour} h ${minute}${evening[1]}`];
};

/** Numbers, dates, times and names. */
export function number(random) {
  const draw = random();
  let texts;
  if (draw < 0.38) {
    const n = digits(random);
    let shown = [n, n];
    if (n.length > 3 && chance(random, 0.3)) shown = [grouped(n, ','), grouped(n, ' ')];
    if (n === '1' || n === '0') shown = ['2', '2'];
    const [one, other] = [shown[0], shown[1]];
    const form = pick(random, numbered);
    const seen = form(random, one);
    texts = [seen[0], seen[1] === null ? seen[0] : seen[1].replace(one, other)];
    if (chance(random, 0.06)) texts = [`$${n}`, `${n} dollars`];
  } else if (draw < 0.56) texts = pick(random, dated)(year(random));
  else if (draw < 0.68) texts = pick(random, timed)(...timeOf(random));
  else texts = [...pick(random, named)];
  return fill(random, texts);
}

function fill(random, [english, french]) {
  const noun = pick(random, nouns[pick(random, ['animal', 'thing', 'food', 'clothes'])]);
  const many = phrase(random, 'thing', noun, {
    determiners: ['general'],
    plural: true,
    described: 0,
  });
  const second = pick(random, nouns.thing);
  const one = phrase(random, 'thing', second, { determiners: ['a'], plural: false, described: 0 });
  const relative = pick(
    random,
    nouns.family.filter(({ french: text }) => !text.includes(' ')),
  );
  const own = `${relative.feminine ? (/^[aeiouéê]/.test(relative.french) ? 'mon' : 'ma') : 'mon'} ${relative.french}`;
  const first = chance(random, 0.1)
    ? { text: pick(random, otherNames.slice(90)), feminine: false }
    : name(random);
  const draw = () => name(random).text;
  const values = {
    NOUNS: many.english,
    NOMS: many.french.replace(/^les /, ''),
    NOUN2: second.english,
    NOM2: one.french,
    NOUN: relative.english,
    POSS: own,
    PLACE: place(random),
    PLACE2: place(random),
    NAME3: chance(random, 0.5)
      ? pick(random, otherNames)
      : inventedName(random, chance(random, 0.3)),
    NAME2: draw(),
    NAMEW: '',
    NAMEM: '',
    NAME: first.text,
    DENAME: /^[AEIOUÉÖĀØ]/.test(first.text) ? `d'${first.text}` : `de ${first.text}`,
  };
  const [month, mois] = pick(random, months);
  const [day, jour] = pick(random, days);
  Object.assign(values, {
    MONTH: month,
    MOIS: mois,
    DAY: day,
    JOUR: jour,
    NAMEW: first.text,
    NAMEM: first.text,
  });
  const feminine = first.feminine && /NAME (was born|died|came|comes)/.test(english);
  const put = (text) =>
    text.replace(
      /\b(DENAME|NAME2|NAME3|NAMEW|NAMEM|NAME|PLACE2|PLACE|NOUNS|NOMS|NOUN2|NOM2|NOUN|POSS|MONTH|MOIS|DAY|JOUR)\b/g,
      (key) => values[key],
    );
  let into = put(french)
    .replace(/\bde (?=(\d))/, 'de ')
    .replace(/\b(de|que) (?=[AEIOUÉ]\p{Ll})/gu, (_, word) => (word === 'de' ? "d'" : "qu'"));
  if (feminine) into = into.replace(/ est (né|mort|venu) /, ' est $1e ');
  const mark = into.endsWith('?')
    ? '?'
    : /^(page|number|\d|in|on|the \d)/.test(english) && chance(random, 0.6)
      ? ''
      : '.';
  return { english: put(english), french: into.replace(/\?$/, ''), mark };
}

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const unités =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  );
const dizaines =
  '- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ');

export function numberInWords(n) {
  if (n >= 1000) {
    const [thousand, under] = [Math.floor(n / 1000), n % 1000];
    const [a, b] = numberInWords(thousand);
    const [c, d] = under ? numberInWords(under) : ['', ''];
    return [
      `${a} thousand${under ? (under < 100 ? ' and ' : ' ') : ''}${c}`,
      `${thousand === 1 ? 'mille' : `${b} mille`}${under ? ' ' : ''}${d}`,
    ];
  }
  if (n >= 100) {
    const [hundred, under] = [Math.floor(n / 100), n % 100];
    const [c, d] = under ? numberInWords(under) : ['', ''];
    return [
      `${units[hundred]} hundred${under ? ' and ' : ''}${c}`,
      `${hundred === 1 ? 'cent' : `${unités[hundred]} cent${under ? '' : 's'}`}${under ? ' ' : ''}${d}`,
    ];
  }
  if (n < 20) return [units[n], unités[n]];
  const [ten, under] = [Math.floor(n / 10), n % 10];
  const english = under ? `${tens[ten]}-${units[under]}` : tens[ten];
  const rest = ten === 7 || ten === 9 ? under + 10 : under;
  if (ten === 8 && rest === 0) return [english, 'quatre-vingts'];
  const and = (rest === 1 || rest === 11) && ten < 8 ? ' et ' : '-';
  return [english, rest === 0 ? dizaines[ten] : `${dizaines[ten]}${and}${unités[rest]}`];
}

/** Numbers in words. */
export function spelt(random) {
  const n = chance(random, 0.7) ? upTo(random, 100, 2) : upTo(random, 3000, 2);
  const [english, french] = numberInWords(n);
  const noun = pick(random, nouns[pick(random, ['animal', 'thing', 'food', 'person'])]);
  const many = phrase(random, 'thing', noun, {
    determiners: ['general'],
    plural: true,
    described: 0,
  });
  const feminine = noun.feminine ? french.replace(/(^| |-)un$/, '$1une') : french;
  const nombre = many.french.replace(/^les /, '');
  return pick(random, [
    { english: `${english} ${many.english}`, french: `${feminine} ${nombre}`, mark: '' },
    { english: `I can see ${english} ${many.english}`, french: `je vois ${feminine} ${nombre}` },
    { english: `she is ${english} years old`, french: `elle a ${french} ans` },
    { english: `it costs ${english} euros`, french: `ça coûte ${french} euros` },
    { english, french, mark: '', asTyped: true },
    {
      english: `we bought ${english} ${many.english}`,
      french: `nous avons acheté ${feminine} ${nombre}`,
    },
    {
      english: `there are ${english} ${many.english} here`,
      french: `il y a ${feminine} ${nombre} ici`,
    },
  ]);
}
