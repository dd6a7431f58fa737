// Frames: when something was done, as dates are said.
import { french as inFrench } from './conjugate.js';
import { chance, frenchClause, of, pick } from './phrases.js';
import { someone } from './subjects.js';
import { split } from './times.js';
import { countries, days, months } from './words.js';

const centuries = split(
  'nineteenth=XIXe, eighteenth=XVIIIe, twentieth=XXe, twenty-first=XXIe, sixteenth=XVIe',
);

/** When something was: [English, French]. */
export function dated(random) {
  const year = 1500 + Math.floor(random() ** 0.5 * 530);
  const [month, mois] = pick(random, months);
  const [weekday, jour] = pick(random, days);
  const day = 1 + Math.floor(random() * 28);
  const le = day === 1 ? '1er' : day;
  const [nth, nieme] = pick(random, centuries);
  return pick(random, [
    [`in ${month} ${year}`, `en ${mois} ${year}`],
    [`in ${month} ${year}`, `en ${mois} ${year}`],
    [`in ${month}`, `en ${mois}`],
    [`in ${year}`, `en ${year}`],
    [`on ${day} ${month} ${year}`, `le ${le} ${mois} ${year}`],
    [`on ${month} ${day}, ${year}`, `le ${le} ${mois} ${year}`],
    [`on ${weekday}, ${month} ${day}`, `le ${jour} ${le} ${mois}`],
    [`on ${month} ${day}`, `le ${le} ${mois}`],
    [`at the end of ${month}`, `à la fin du mois ${of(mois)}`],
    [`at the beginning of ${month} ${year}`, `au début du mois ${of(mois)} ${year}`],
    [`in the summer of ${year}`, `pendant l'été ${year}`],
    [`in the winter of ${year}`, `pendant l'hiver ${year}`],
    [
      `on the ${day}${day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : day % 10 === 3 && day !== 13 ? 'rd' : 'th'} of ${month}`,
      `le ${le} ${mois}`,
    ],
    [`in the ${nth} century`, `au ${nieme} siècle`],
    [`between ${year} and ${year + 5}`, `entre ${year} et ${year + 5}`],
    [`last ${weekday}`, `${jour} dernier`],
  ]);
}

const deeds = split(
  "died=mourir, got married=se marier, moved to {in}=s'installer {in}, started working=commencer à travailler, travelled to {in}=aller {in}, left the village=quitter le village, came back=revenir, bought the house=acheter la maison, signed the contract=signer le contrat, finished the work=finir le travail, arrived in {in}=arriver {in}, wrote this letter=écrire cette lettre, won the race=gagner la course",
);

export function onDate(random) {
  const subject = someone(random);
  const [when, then] = dated(random);
  const [did, faire] = pick(random, deeds);
  const [country, there] = pick(random, countries);
  const [, infinitive, after = ''] = /^((?:se |s')?\S+)(?: (.*))?$/.exec(faire);
  const set = (text, place) => text.replace('{in}', place);
  const main = {
    english: `${subject.english} ${set(did, country)}`,
    french: frenchClause(subject, inFrench(infinitive), 'past', { rest: set(after, there) }),
  };
  if (chance(random, 0.3))
    return { english: `${when}, ${main.english}`, french: `${then}, ${main.french}` };
  return { english: `${main.english} ${when}`, french: `${main.french} ${then}` };
}
