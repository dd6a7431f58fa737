// Frames: verbs that have another verb with them: "she forgot to water the plants", "they asked the nurse to …".
import { english as inEnglish, french as inFrench } from './conjugate.js';
import { anyone, fill, infinitive, joinedTo, said } from './doings.js';
import { nouns } from './nouns.js';
import { chance, englishClause, frenchClause, phrase, pick, to } from './phrases.js';
import { ofPeople } from './predicates.js';

const verb = (from, into, preposition) => [inEnglish(from), inFrench(into), preposition];
const withTo = [
  verb('forget', 'oublier', 'de'),
  verb('try', 'essayer', 'de'),
  verb('decide', 'décider', 'de'),
  verb('want', 'vouloir', ''),
  verb('refuse', 'refuser', 'de'),
  verb('promise', 'promettre', 'de'),
  verb('begin', 'commencer', 'à'),
  verb('start', 'commencer', 'à'),
  verb('hope', 'espérer', ''),
  verb('learn', 'apprendre', 'à'),
];
const withIng = [
  verb('start', 'commencer', 'à'),
  verb('stop', 'arrêter', 'de'),
  verb('finish', 'finir', 'de'),
  verb('like', 'aimer', ''),
  verb('love', 'adorer', ''),
  verb('hate', 'détester', ''),
  verb('avoid', 'éviter', 'de'),
  verb('prefer', 'préférer', ''),
];
const withSomeone = [
  verb('help', 'aider', 'à'),
  verb('ask', 'demander', 'de'),
  verb('tell', 'dire', 'de'),
  verb('teach', 'apprendre', 'à'),
  verb('advise', 'conseiller', 'de'),
];

/** "She forgot to water the plants", "my uncle stopped playing cards", "they asked the nurse to …". */
export function doesDoing(random) {
  const subject = anyone(random);
  const predicate = pick(random, ofPeople);
  const likes = /^(like|love|hate|prefer|want|hope)$/;
  const tenseFor = (word) =>
    likes.test(word)
      ? pick(random, [
          ['present', 'present'],
          ['present', 'present'],
          ['past', 'imperfect'],
        ])
      : pick(random, [
          ['past', 'past'],
          ['past', 'past'],
          ['present', 'present'],
          ['future', 'future'],
          ['soon', 'soon'],
        ]);
  const negative = chance(random, 0.12);
  const draw = random();
  if (draw < 0.4) {
    const [from, into, preposition] = pick(random, withTo);
    const what = infinitive(subject, predicate);
    const tense = tenseFor(from.base);
    return {
      english: englishClause(subject, from, tense[0], { negative, rest: `to ${what.english}` }),
      french: frenchClause(subject, into, tense[1], {
        negative,
        rest: joinedTo(preposition, what.french),
      }),
    };
  }
  if (draw < 0.65) {
    const [from, into, preposition] = pick(random, withIng);
    const what = infinitive(subject, predicate);
    const tense = tenseFor(from.base);
    return {
      english: englishClause(subject, from, tense[0], { negative, rest: what.ing }),
      french: frenchClause(subject, into, tense[1], {
        negative,
        rest: joinedTo(preposition, what.french),
      }),
    };
  }
  if (draw < 0.9) {
    const [from, into, preposition] = pick(random, withSomeone);
    const other = phrase(random, 'family', pick(random, [...nouns.family, ...nouns.person]), {
      determiners: ['own', 'own', 'the'],
      described: 0,
      plural: chance(random, 0.2),
    });
    if (predicate.french.reflexive || /\{/.test(predicate.rest)) return doesDoing(random);
    const what = infinitive(other, predicate);
    const tense = tenseFor(from.base);
    const particle = from.base === 'help' ? '' : 'to ';
    const help = into.infinitive === 'aider' ? other.french : to(other.french);
    return {
      english: englishClause(subject, from, tense[0], {
        negative,
        rest: `${other.english} ${particle}${what.english}`,
      }),
      french: frenchClause(subject, into, tense[1], {
        negative,
        rest: `${help} ${joinedTo(preposition, what.french)}`,
      }),
    };
  }
  const what = infinitive(subject, predicate);
  const { base, participle } = predicate.english;
  const past = fill(predicate.rest, subject);
  if (chance(random, 0.5))
    return {
      english: englishClause(
        subject,
        { ...predicate.english, participle: `just ${participle}` },
        'perfect',
        { rest: past },
      ),
      french: frenchClause(subject, inFrench('venir'), 'present', {
        rest: joinedTo('de', what.french),
      }),
    };
  return {
    english: `${subject.english} used to ${base} ${past}`.trim(),
    french: said(subject, predicate, ['past', 'imperfect'], { adverb: 'autrefois' }).french,
  };
}
