// Frames: "it" that stands for nothing: "it is easy to …", "it started to rain", "it is time to …".
import { infinitive, joinedTo, said, suited } from './doings.js';
import { chance, elided, pick } from './phrases.js';
import { ofPeople } from './predicates.js';
import { split } from './times.js';

const judgements = split(
  `easy=facile, difficult=difficile, hard=difficile, dangerous=dangereux, forbidden=interdit, possible=possible, impossible=impossible
   important=important, useful=utile, useless=inutile, rude=impoli, polite=poli, strange=étrange, too late=trop tard, nice=agréable, necessary=nécessaire`,
);
const weathers = split(
  `start to rain=commencer à pleuvoir, start raining=commencer à pleuvoir, start to snow=commencer à neiger, start snowing=commencer à neiger
   stop raining=arrêter de pleuvoir, stop snowing=arrêter de neiger`,
).map(([english, french]) => [
  english.replace(/^(start|stop)/, (verb) => (verb === 'start' ? 'started' : 'stopped')),
  french.replace(/^(commencer|arrêter)/, (verb) => `${verb.slice(0, -2)}é`),
]);

const plainOnes = ofPeople.filter(({ rest, french }) => !/\{/.test(rest) && !french.reflexive);
const past = ['past', 'past'];
const wasDoing = ['wasDoing', 'imperfect'];

export function impersonal(random) {
  const nobody = { english: 'one', french: 'on', person: 2 };
  const what = infinitive(nobody, pick(random, plainOnes));
  const draw = random();
  if (draw < 0.35) {
    const [easy, facile] = pick(random, judgements);
    const tense = chance(random, 0.3) ? ['was', 'était'] : ['is', 'est'];
    const not = chance(random, 0.2);
    return {
      english: `it ${tense[0]} ${not ? 'not ' : ''}${easy} to ${what.english}`,
      french: `il ${not ? elided('ne', tense[1]) : tense[1]}${not ? ' pas' : ''} ${facile} ${joinedTo(facile === 'trop tard' ? 'pour' : 'de', what.french)}`,
    };
  }
  if (draw < 0.45)
    return {
      english: `it is time to ${what.english}`,
      french: `il est temps ${joinedTo('de', what.french)}`,
    };
  if (draw < 0.85) {
    const { subject, predicate } = suited(random, 0.8);
    const [rain, pleuvoir] = pick(random, weathers);
    const main = said(subject, predicate, pick(random, [past, past, wasDoing]));
    const [when, quand] = pick(random, split('when=quand, because=parce que, as soon as=dès que'));
    return {
      english: `${main.english} ${when} it ${rain}`,
      french: `${main.french} ${elided(quand, 'il')} a ${pleuvoir}`,
    };
  }
  const [how, combien] = pick(
    random,
    split(
      'it takes an hour to=il faut une heure pour, it takes a long time to=il faut longtemps pour, it took me two days to=il m_a fallu deux jours pour, you have to=il faut, you must not=il ne faut pas, it is better to=il vaut mieux',
    ),
  );
  return {
    english: `${how} ${what.english}`,
    french: `${combien.replace('_', "'")} ${what.french}`,
  };
}
