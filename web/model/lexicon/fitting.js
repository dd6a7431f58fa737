// Frames: "it" that stands for the one or for the other of two nouns, as the adjective has it: "the horse could
// not cross the bridge because it was too heavy", "… too narrow".
import { agree } from './adjectives.js';
import { ofKind } from './clauses.js';
import { headOf } from './nouns.js';
import { chance, elided, pick } from './phrases.js';
import { split } from './times.js';

const adjective = (text) => {
  const [english, masculine, feminine = masculine] = text;
  return { english, masculine, feminine, plural: masculine, feminines: feminine };
};
const ofMover = split(
  'big=grand=grande, big=gros=grosse, big=grand=grande, big=gros=grosse, large=grand=grande, heavy=lourd=lourde, fat=gros=grosse, tired=fatigué=fatiguée, slow=lent=lente, weak=faible, frightened=effrayé=effrayée, old=vieux=vieille, tall=grand=grande, sick=malade',
).map(adjective);
const ofPlace = split(
  'small=petit=petite, narrow=étroit=étroite, full=plein=pleine, dark=sombre, dirty=sale, hot=chaud=chaude, low=bas=basse, cold=froid=froide, wet=mouillé=mouillée',
).map(adjective);

const tries = split(
  `tried to get into=a essayé d_entrer dans, tried to climb into=a essayé de monter dans, tried to go through=a essayé de traverser, wanted to sleep in=voulait dormir dans
   tried to hide in=a essayé de se cacher dans, wanted to enter=voulait entrer dans, tried to leave=a essayé de quitter, tried to run into=a essayé de courir dans`,
);
const fails = split(
  `could not get into=ne pouvait pas entrer dans, did not fit in=n_entrait pas dans, couldn't cross=ne pouvait pas traverser, didn't go into=n_est pas entré dans
   could not leave=ne pouvait pas quitter, didn't want to sleep in=ne voulait pas dormir dans`,
);

function someMover(random) {
  return ofKind(random, pick(random, ['animal', 'animal', 'animal', 'vehicle', 'thing']), {
    determiners: ['the', 'the', 'own', 'a'],
    described: 0.6,
    plural: false,
  });
}

// Before a vowel the article hides the gender: "l'éléphant" is to be met more often.
function oftenElided(random) {
  let mover = someMover(random);
  const hides = ({ french }) => french.startsWith("l'");
  for (let more = chance(random, 0.5) ? 12 : 0; more > 0 && !hides(mover); more--) {
    mover = someMover(random);
  }
  return mover;
}

/** "The pig tried to get into the hut but it was too fat." */
export function fits(random) {
  const mover = oftenElided(random);
  const place = ofKind(random, pick(random, ['vehicle', 'house', 'place']), {
    determiners: ['the', 'the', 'own', 'this'],
    described: 0.2,
    plural: false,
  });
  const isMover = chance(random, 0.65);
  const chosen = pick(random, isMover ? ofMover : ofPlace);
  const { feminine } = isMover ? mover : place;
  const it = feminine ? 'elle' : 'il';
  const end = `était trop ${agree(chosen, { feminine })}`;
  const because = chance(random, 0.3);
  const [did, fait] = pick(random, because ? fails : tries);
  const done = fait
    .replace('_', "'")
    .replace(/entré(?= dans)/, mover.feminine ? 'entrée' : 'entré');
  const [but, mais] = because
    ? ['because', elided('parce que', it)]
    : [pick(random, ['but', ', but']), `mais ${it}`];
  return {
    link: { pronoun: 'it', noun: headOf(isMover ? mover : place) },
    english: `${mover.english} ${did} ${place.english} ${but} it was too ${chosen.english}`.replace(
      ' ,',
      ',',
    ),
    french: `${mover.french} ${done} ${place.french} ${mais} ${end}`,
  };
}
