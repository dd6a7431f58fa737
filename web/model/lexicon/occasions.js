// Frames: greetings, single words, languages, countries, and what was signed when.
import { anything } from './clauses.js';
import { english as inEnglish, french as inFrench } from './conjugate.js';
import { colourNouns, elides, englishPlural, frenchPlural, nouns } from './nouns.js';
import { chance, englishClause, frenchClause, pick, small } from './phrases.js';
import { name, someone } from './subjects.js';
import { before, habits, later, now, split } from './times.js';
import { bodies, countries, days, greetings, languages, months } from './words.js';

export const simple = (random) => {
  const draw = random();
  if (draw < 0.2) {
    const [english, french] = pick(random, greetings);
    const mark = pick(random, ['', '', '.', '!']);
    const named = chance(random, 0.25) ? name(random).text : '';
    return {
      english: named ? `${english}, ${named}` : english,
      french: named ? `${french}, ${named}` : french,
      mark,
      asTyped: true,
    };
  }
  if (draw < 0.3) {
    const kind = pick(random, Object.keys(nouns));
    const noun = pick(random, nouns[kind]);
    const plural = chance(random, 0.25);
    return {
      english: plural ? englishPlural(noun) : noun.english,
      french: plural ? frenchPlural(noun) : noun.french,
      mark: '',
      asTyped: true,
    };
  }
  if (draw < 0.5) {
    const { english, french } = anything(random, { described: 0.8 });
    return { english, french, mark: '', asTyped: true };
  }
  if (draw < 0.56) {
    const [english, french] = pick(random, [
      ...days,
      ...months,
      ...small.slice(0, 18),
      ...later,
      ...before,
      ...habits,
    ]);
    return { english, french, mark: '', asTyped: true };
  }
  const colour = pick(random, colourNouns);
  const subject = pick(random, [
    ['my', 'ma'],
    ['his', 'sa'],
    ['her', 'sa'],
    ['your', 'ta'],
  ]);
  if (draw < 0.66)
    return {
      english: `${subject[0]} favourite colour is ${colour.english}`
        .replace('our is', chance(random, 0.5) ? 'or is' : 'our is')
        .replace('colour', chance(random, 0.5) ? 'color' : 'colour'),
      french: `${subject[1]} couleur préférée est le ${colour.french}`.replace(
        'le orange',
        "l'orange",
      ),
    };
  const [language, langue] = pick(random, languages);
  if (draw < 0.78) {
    const who = someone(random);
    const learn = pick(random, [
      ['speak', 'parler', ''],
      ['learn', 'apprendre', 'article'],
      ['understand', 'comprendre', 'article'],
      ['study', 'étudier', 'article'],
      ['teach', 'enseigner', 'article'],
    ]);
    const said = learn[2] ? (elides(langue) ? `l'${langue}` : `le ${langue}`) : langue;
    const tense = pick(random, [
      ['present', 'present'],
      ['progressive', 'present'],
      ['present', 'present'],
      ['future', 'future'],
    ]);
    return {
      english: englishClause(who, inEnglish(learn[0]), tense[0], { rest: language }),
      french: frenchClause(who, inFrench(learn[1]), tense[1], { rest: said }),
    };
  }
  const [country, there] = pick(random, countries);
  const who = someone(random);
  const go = pick(
    random,
    [
      ['live in', 'vivre', 'present', 'present'],
      ['lived in', 'vivre', 'past', 'imperfect'],
      ['travel to', 'aller', 'future', 'future'],
      ['go to', 'aller', 'past', 'past'],
      ['be born in', 'naître_', 'past', 'past'],
      ['work in', 'travailler', 'present', 'present'],
      ['go to', 'aller', 'soon', 'soon'],
      ['go to', 'aller', 'future', 'future'],
    ].filter(([, verb]) => !verb.endsWith('_')),
  );
  const base = go[0] === 'lived in' ? 'live in' : go[0];
  const [when, then] = chance(random, 0.3)
    ? pick(random, go[2] === 'past' ? before : go[2] === 'present' ? now : later)
    : ['', ''];
  return {
    english: englishClause(who, inEnglish(base), go[2], { rest: `${country} ${when}`.trim() }),
    french: frenchClause(who, inFrench(go[1]), go[3], { rest: `${there} ${then}`.trim() }),
  };
};

export const signing = split(
  `signed=signé, broken=rompu, published=publié, ratified=ratifié, announced=annoncé, cancelled=annulé, changed=modifié, translated=traduit, adopted=adopté, discussed=discuté`,
);

export function event(random) {
  const noun = pick(
    random,
    nouns.school.filter(({ english }) =>
      /^(agreement|treaty|contract|law|report|speech|list|message|meeting|plan|promise)$/.test(
        english,
      ),
    ),
  );
  const [about, sur] = pick(random, bodies);
  const [done, fait] = pick(random, signing);
  const [month, mois] = pick(random, months);
  const [country, pays] = pick(random, countries);
  const year = 1700 + Math.floor(random() * 360);
  const [preposition, on] = pick(random, [
    ['on', 'sur'],
    ['about', 'sur'],
    ['with', 'avec'],
  ]);
  const the = elides(noun.french)
    ? `l'${noun.french}`
    : `${noun.feminine ? 'la' : 'le'} ${noun.french}`;
  const [when, then] = pick(random, [
    [`in ${month} ${year}`, `en ${mois} ${year}`],
    [`in ${year}`, `en ${year}`],
    [`in ${country}`, pays],
    [`in ${country} in ${year}`, `${pays} en ${year}`],
    [`on ${month} 12, ${year}`, `le 12 ${mois} ${year}`],
  ]);
  return {
    english: `the ${noun.english} ${preposition} ${about} was ${done} ${when}`,
    french: `${the} ${on} ${sur} a été ${fait}${noun.feminine ? 'e' : ''} ${then}`,
  };
}
