// Frames: somebody does something.
import { clause, have, objectOf } from './clauses.js';
import { english as inEnglish, french as inFrench } from './conjugate.js';
import { nouns } from './nouns.js';
import { chance, englishClause, frenchClause, phrase, pick, substance, to } from './phrases.js';
import { animal, name, someone } from './subjects.js';
import { split, spots } from './times.js';
import { animalVerbs, consume, intransitive, transitive } from './verbs.js';

export const doObject = (random) => {
  const verb = pick(random, transitive);
  return clause(random, someone(random), verb, objectOf(random, verb));
};

export const doSubstance = (random) => {
  const kind = pick(random, ['drink', 'mass']);
  const verb = pick(random, consume[kind]);
  return clause(random, someone(random), verb, substance(random, pick(random, nouns[kind])), [
    spots,
  ]);
};

export const doAlone = (random) =>
  clause(random, someone(random), pick(random, intransitive), null, [spots]);

export const animalDoes = (random) =>
  clause(random, animal(random), pick(random, animalVerbs), null, [spots]);

export function hasSome(random) {
  const kind = pick(random, ['animal', 'thing', 'family', 'clothes', 'vehicle', 'food']);
  const object = phrase(random, kind, pick(random, nouns[kind]), {
    determiners: ['number', 'number', 'a'],
    described: 0.35,
  });
  const subject = someone(random);
  const past = chance(random, 0.3);
  return {
    english: `${subject.english} ${past ? 'had' : subject.person === 2 ? 'has' : 'have'} ${object.english}`,
    french: frenchClause(subject, have, past ? 'imperfect' : 'present', { object }),
  };
}

export const likes = (random) => {
  const subject = someone(random);
  const kind = pick(random, [
    'food',
    'food',
    'animal',
    'clothes',
    'thing',
    'mass',
    'drink',
    'pairs',
    'weather',
    'vehicle',
  ]);
  const verb = pick(
    random,
    transitive.filter(({ english }) => /^(like|love|hate)$/.test(english.base)),
  );
  const noun = pick(random, nouns[kind]);
  const isMass = /mass|drink|weather/.test(kind);
  const the = isMass
    ? substance(random, noun, { determiner: 'the' })
    : phrase(random, kind, noun, { determiners: ['general'], plural: true, described: 0.6 });
  const object = isMass
    ? { ...the, english: kind === 'weather' ? `the ${noun.english}` : noun.english }
    : the;
  const tense = chance(random, 0.85) ? 'present' : 'past';
  const negative = chance(random, 0.25);
  return {
    english: englishClause(subject, verb.english, tense, { negative, object }),
    french: frenchClause(subject, verb.french, tense === 'present' ? 'present' : 'imperfect', {
      negative,
      object,
    }),
  };
};

/** Somebody does something for somebody: "Omar showed his aunt the map". */
export const giving = split(
  `give=donner, show=montrer, bring=apporter, buy=acheter, offer=offrir, lend=prêter, sell=vendre, send=envoyer, make=préparer, cook=cuisiner, read=lire, write=écrire, pour=servir, serve=servir`,
);

export function gives(random) {
  const [from, into] = pick(random, giving);
  const forms = { english: inEnglish(from), french: inFrench(into) };
  const food = /make|cook|pour|serve/.test(from);
  const object = food
    ? substance(
        random,
        pick(
          random,
          nouns[from === 'pour' || (from !== 'cook' && chance(random, 0.6)) ? 'drink' : 'mass'],
        ),
        { determiner: 'some' },
      )
    : /read|write/.test(from)
      ? phrase(
          random,
          'thing',
          nouns.thing.find(({ english }) => english === 'letter'),
          { determiners: ['a', 'the'] },
        )
      : phrase(random, 'thing', pick(random, [...nouns.thing, ...nouns.clothes, ...nouns.food]), {
          determiners: ['a', 'a', 'the', 'this', 'number'],
        });
  const bare = food && chance(random, 0.6) ? object.english.replace(/^some /, '') : object.english;
  const subject = someone(random);
  const given = chance(random, 0.3) ? name(random).text : null;
  const other = given
    ? { english: given, french: given }
    : phrase(random, 'family', pick(random, [...nouns.family, ...nouns.person]), {
        determiners: ['own', 'own', 'the'],
        described: 0,
        plural: chance(random, 0.15),
      });
  const tense = pick(random, [
    ['past', 'past'],
    ['past', 'past'],
    ['present', 'present'],
    ['progressive', 'present'],
    ['future', 'future'],
    ['soon', 'soon'],
  ]);
  const twoObjects = !/read|write/.test(from) || chance(random, 0.5);
  const preposition = /buy|make|cook/.test(from) ? 'for' : 'to';
  const said =
    twoObjects && chance(random, 0.65)
      ? `${other.english} ${bare}`
      : `${bare} ${preposition} ${other.english}`;
  return {
    english: englishClause(subject, forms.english, tense[0], { rest: said }),
    french: frenchClause(subject, forms.french, tense[1], {
      rest: `${object.french} ${to(other.french)}`,
    }),
  };
}

export function wears(random) {
  const subject = someone(random);
  const kind = pick(random, ['clothes', 'clothes', 'pairs']);
  const object = phrase(random, kind, pick(random, nouns[kind]), {
    determiners: ['a'],
    described: 0.85,
    plural: kind === 'pairs',
  });
  const english = pick(random, ['progressive', 'wasDoing', 'past']);
  return {
    english: englishClause(subject, inEnglish('wear'), english, { object }),
    french: frenchClause(
      subject,
      inFrench('porter'),
      english === 'progressive' ? 'present' : 'imperfect',
      { object },
    ),
  };
}
