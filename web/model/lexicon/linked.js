// Frames: two clauses, with a relative or another pronoun in one for a noun of the other.
import { animalDoes, doAlone, doObject, hasSome } from './actions.js';
import { adjectives, agree } from './adjectives.js';
import { ofKind } from './clauses.js';
import { nouns } from './nouns.js';
import { chance, frenchClause, phrase, pick } from './phrases.js';
import { isSo, weather } from './states.js';
import { name, someone } from './subjects.js';
import { split, spots } from './times.js';
import { intransitive, transitive } from './verbs.js';

/** "The letter that she wrote is long", "the boy who is laughing is my cousin". */
export function relative(random) {
  if (chance(random, 0.5)) {
    const who = ofKind(random, 'person', { determiners: ['the'], described: 0.2, plural: false });
    const verb = pick(
      random,
      intransitive.filter(({ french }) => !french.reflexive),
    );
    const relation = ofKind(random, 'family', {
      determiners: ['own'],
      plural: false,
      described: 0,
    });
    const [from, into] = pick(random, spots);
    return pick(random, [
      {
        english: `${who.english} who is ${verb.english.ing} ${from} is ${relation.english}`,
        french: `${who.french} qui ${verb.french.present[2]} ${into} est ${relation.french}`,
      },
      {
        english: `I know ${who.english} who is ${verb.english.ing} ${from}`,
        french: `je connais ${who.french} qui ${verb.french.present[2]} ${into}`,
      },
      {
        english: `do you know ${who.english} who lives here`,
        french: `connais-tu ${who.french} qui habite ici`,
        mark: '?',
      },
    ]);
  }
  const verb = pick(
    random,
    transitive.filter(
      ({ english, kinds, french }) =>
        !french.reflexive &&
        kinds.some((kind) => /thing|clothes|food|school/.test(kind)) &&
        !/^(like|love|want|need|know|hate|have|look|pick)/.test(english.base),
    ),
  );
  const kind = pick(
    random,
    verb.kinds.filter((k) => k !== 'pairs'),
  );
  const what = phrase(random, kind, pick(random, nouns[kind]), {
    determiners: ['the', 'the', 'this'],
    described: 0.3,
    plural: false,
  });
  const subject = someone(random);
  const list =
    { thing: 'thing', clothes: 'colour', food: 'food', school: 'size' }[kind] ?? 'colour';
  const adjective = pick(random, adjectives[list]);
  const agreed = `${verb.french.participle}${what.feminine ? 'e' : ''}`;
  const clause_ = frenchClause(subject, { ...verb.french, participle: agreed }, 'past');
  const that = /^[aeiouéAEIOUÉ]/.test(clause_) ? "qu'" : 'que ';
  return {
    english: `${what.english} ${chance(random, 0.6) ? 'that ' : ''}${subject.english} ${verb.english.past} is ${adjective.english}`,
    french: `${what.french} ${that}${clause_} est ${agree(adjective, what)}`,
  };
}

/** "The chair broke because it was old": il or elle by what it stands for. */
export function referent(random) {
  const kind = pick(random, ['thing', 'vehicle', 'animal', 'clothes', 'food']);
  const what = ofKind(random, kind, {
    determiners: ['the', 'the', 'own', 'this'],
    described: 0.15,
  });
  const list = {
    thing: 'thing',
    vehicle: 'thing',
    animal: 'animal',
    clothes: 'colour',
    food: 'food',
  }[kind];
  const adjective = pick(random, adjectives[chance(random, 0.25) ? 'size' : list]);
  const it = what.plural ? (what.feminine ? 'elles' : 'ils') : what.feminine ? 'elle' : 'il';
  const they = what.plural ? 'they' : 'it';
  const form = agree(adjective, what);
  const [was, étaient, is_, est] = what.plural
    ? ['were', 'étaient', 'are', 'sont']
    : ['was', 'était', 'is', 'est'];
  const them = what.plural ? 'les' : what.feminine ? 'la' : 'le';
  const me = pick(random, [
    ['I', 'je'],
    ['she', 'elle'],
    ['he', 'il'],
    ['Mary', 'Marie'],
    ['my brother', 'mon frère'],
    [name(random).text],
  ]).map((x) => x);
  const [who, qui] = me.length === 2 ? me : [me[0], me[0]];
  const first = who === 'I';
  const lui = them === 'les' ? 'les' : "l'";
  const e = `${what.feminine ? 'e' : ''}${what.plural ? 's' : ''}`;
  const that = (x) => (/^[aeiouéAEIOUÉ]/.test(x) ? `qu'${x}` : `que ${x}`);
  return pick(random, [
    {
      english: `${who} didn't buy ${what.english} because ${they} ${was} ${adjective.english}`,
      french: `${first ? "je n'ai" : `${qui} n'a`} pas acheté ${what.french} parce ${that(it)} ${étaient} ${form}`,
    },
    {
      english: `${who} ${first ? 'like' : 'likes'} ${what.english} because ${they} ${is_} ${adjective.english}`,
      french: `${first ? "j'aime" : `${qui} aime`} ${what.french} parce ${that(it)} ${est} ${form}`,
    },
    {
      english: `${who} found ${what.english}, but ${they} ${was} ${adjective.english}`,
      french: `${first ? "j'ai" : `${qui} a`} trouvé ${what.french}, mais ${it} ${étaient} ${form}`,
    },
    {
      english: `${what.english} ${is_} here and ${they} ${is_} ${adjective.english}`,
      french: `${what.french} ${est} ici et ${it} ${est} ${form}`,
    },
    {
      english: `where ${is_} ${what.english}? ${they === 'it' ? 'It' : 'They'} ${is_} ${adjective.english}`,
      french: `où ${est} ${what.french} ? ${it[0].toUpperCase()}${it.slice(1)} ${est} ${form}`,
    },
    {
      english: `${who} saw ${what.english} but didn't buy ${what.plural ? 'them' : 'it'}`,
      french:
        `${first ? "j'ai" : `${qui} a`} vu ${what.french} mais ne ${lui}${lui === 'les' ? ' ' : ''}${first ? 'ai' : 'a'} pas acheté${e}`.replace(
          /ne les (ai|a) /,
          'ne les $1 ',
        ),
    },
    {
      english: `${who} took ${what.english} and put ${what.plural ? 'them' : 'it'} on the table`,
      french: `${first ? "j'ai" : `${qui} a`} pris ${what.french} et ${lui}${lui === 'les' ? ' ' : ''}${first ? 'ai' : 'a'} mis${what.feminine ? 'e' : ''}${what.plural && what.feminine ? 's' : ''} sur la table`,
    },
  ]);
}

export const joins = split(
  `when=quand, because=parce que_, but=mais, and=et, if=si_, although=bien que_`,
).slice(0, 4);

export function joined(random) {
  const first = pick(random, [doObject, doAlone, isSo, weather, animalDoes])(random);
  const second = pick(random, [doObject, doAlone, isSo, hasSome])(random);
  const [english, french] = pick(random, joins);
  const into =
    french === 'parce que_'
      ? /^[aeiouéAEIOUÉ]/.test(second.french)
        ? "parce qu'"
        : 'parce que '
      : `${french} `;
  const comma = /but/.test(english) ? ',' : '';
  return {
    english: `${first.english}${comma} ${english} ${second.english}`,
    french: `${first.french}${comma} ${into}${second.french}`,
  };
}
