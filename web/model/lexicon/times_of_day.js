// Frames: the time of day: "it is half past two", "the train leaves at a quarter to six".
import { said } from './doings.js';
import { numberInWords } from './numbers.js';
import { pick } from './phrases.js';
import { ofPeople } from './predicates.js';
import { someone } from './subjects.js';
import { split } from './times.js';

const past = ['past', 'past'];
const hours = [null, 'une heure', 'deux heures', 'trois heures', 'quatre heures', 'cinq heures']
  .concat(['six heures', 'sept heures', 'huit heures', 'neuf heures', 'dix heures'])
  .concat(['onze heures']);

/** A time of day: ["half past two", "deux heures et demie"]. */
export function clockTime(random) {
  const hour = 1 + Math.floor(random() * 11);
  const [english, french] = [numberInWords(hour)[0], hours[hour]];
  const minutes = pick(random, [5, 10, 20, 25]);
  const [m, minute] = [numberInWords(minutes)[0], numberInWords(minutes)[1]];
  return pick(random, [
    [`${english} o'clock`, french],
    [`half past ${english}`, `${french} et demie`],
    [`a quarter past ${english}`, `${french} et quart`],
    [`a quarter to ${english}`, `${french} moins le quart`],
    [`${m} past ${english}`, `${french} ${minute}`],
    [`${m} to ${english}`, `${french} moins ${minute}`],
    ['noon', 'midi'],
    ['midnight', 'minuit'],
  ]);
}

export function atTime(random) {
  const [when, heure] = clockTime(random);
  const draw = random();
  if (draw < 0.2) return { english: `it is ${when}`, french: `il est ${heure}` };
  if (draw < 0.45) {
    const what = pick(
      random,
      split(
        'the train=le train, the bus=le bus, the film=le film, the museum=le musée, the lesson=la leçon, the meeting=la réunion, the boat=le bateau, the shop=le magasin, the plane=l_avion',
      ),
    );
    const [does, fait] = pick(
      random,
      split(
        'leaves at=part à, starts at=commence à, opens at=ouvre à, closes at=ferme à, arrives at=arrive à',
      ),
    );
    return {
      english: `${what[0]} ${does} ${when}`,
      french: `${what[1].replace('_', "'")} ${fait} ${heure}`,
    };
  }
  const { subject, predicate } = { subject: someone(random), predicate: pick(random, ofPeople) };
  const [at, à] = pick(random, split('at=à, before=avant, after=après, until=jusqu_à, at=à'));
  return said(
    subject,
    predicate,
    pick(random, [past, ['future', 'future'], ['present', 'present']]),
    {
      when: [`${at} ${when}`, `${à.replace('_', "'")} ${heure}`],
    },
  );
}
