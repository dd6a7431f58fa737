// Frames: how many: "both of my aunts", "neither the boy nor the girl", "two cats and no dog".
import { adjectives, agree } from './adjectives.js';
import { elides, englishPlural, frenchPlural, nouns } from './nouns.js';
import { numberInWords } from './numbers.js';
import { chance, pick } from './phrases.js';
import { someone } from './subjects.js';
import { split } from './times.js';

const having = ['ai', 'as', 'a', 'avons', 'avez', 'ont'];

/** "She has two cats and no dog." */
export function hasNo(random) {
  const subject = someone(random);
  const kind = pick(random, ['family', 'animal', 'thing', 'clothes', 'food']);
  const list = nouns[kind].filter((noun) => !/ /.test(noun.french));
  const [one, other] = [pick(random, list), pick(random, list)];
  if (one === other) return hasNo(random);
  const n = 2 + Math.floor(random() * 11);
  const have = subject.person === 2 ? 'has' : 'have';
  const [few, peu] = numberInWords(n);
  const no = chance(random, 0.6);
  const none = frenchPlural(other);
  const deNone = elides(none) ? `d'${none}` : `de ${none}`;
  const start = subject.french === 'je' ? "j'ai" : `${subject.french} ${having[subject.person]}`;
  const not = subject.french === 'je' ? "je n'ai" : `${subject.french} n'${having[subject.person]}`;
  return no
    ? {
        english: `${subject.english} ${have} ${few} ${englishPlural(one)} ${pick(random, ['and', 'but'])} no ${englishPlural(other)}`,
        french: `${start} ${peu} ${frenchPlural(one)} et pas ${deNone}`,
      }
    : {
        english: `${subject.english} ${have} no ${englishPlural(other)}`,
        french: `${not} pas ${deNone}`,
      };
}

/** "Both of my aunts", "neither the boy nor the girl", "all my shoes", "each house". */
export function quantities(random) {
  const kind = pick(random, ['family', 'animal', 'thing', 'clothes', 'place']);
  const noun = pick(random, nouns[kind]);
  const [many, plusieurs] = [englishPlural(noun), frenchPlural(noun)];
  const { feminine } = noun;
  const adjective = pick(
    random,
    adjectives[kind === 'family' ? 'person' : kind === 'animal' ? 'animal' : 'colour'],
  );
  const all = agree(adjective, { feminine, plural: true });
  const [my, mes] = pick(
    random,
    split('my=mes, his=ses, her=ses, our=nos, their=leurs, the=les, these=ces'),
  );
  const other = pick(random, nouns[kind]);
  const the = (x) =>
    elides(x.french) ? `l'${x.french}` : `${x.feminine ? 'la' : 'le'} ${x.french}`;
  const n = 3 + Math.floor(random() * 28);
  const [count, nombre] = numberInWords(n);
  const e = feminine ? 'es' : 's';
  return pick(random, [
    {
      english: `both of ${my} ${many} are ${adjective.english}`,
      french: `${mes} deux ${plusieurs} sont ${all}`,
    },
    {
      english: `both ${my === 'the' ? '' : `${my} `}${many} were found`,
      french: `${mes} deux ${plusieurs} ont été retrouvé${e}`,
      skip: my === 'these',
    },
    {
      english: `all ${my} ${many} are ${adjective.english}`,
      french: `${feminine ? 'toutes' : 'tous'} ${mes} ${plusieurs} sont ${all}`,
    },
    {
      english: `neither the ${noun.english} nor the ${other.english} is here`,
      french: `ni ${the(noun)} ni ${the(other)} ne sont ici`,
    },
    {
      english: `${count} ${many} were saved`,
      french: `${nombre} ${plusieurs} ont été sauvé${e}`,
      skip: n === 21,
    },
    {
      english: `${count} people were injured`,
      french: `${nombre} personnes ont été blessées`,
      skip: n === 21,
    },
    {
      english: `we saw ${count} ${many} yesterday`,
      french: `nous avons vu ${nombre} ${plusieurs} hier`,
      skip: n === 21,
    },
    {
      english: `most of ${my} ${many} are ${adjective.english}`,
      french: `la plupart ${mes === 'les' ? 'des' : `de ${mes}`} ${plusieurs} sont ${all}`,
    },
    {
      english: `none of ${my} ${many} is ${adjective.english}`,
      french: `aucun${feminine ? 'e' : ''} ${mes === 'les' ? 'des' : `de ${mes}`} ${plusieurs} n'est ${agree(adjective, { feminine })}`,
    },
  ]);
}
