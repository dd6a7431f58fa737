// Frames: clauses that depend on each other (because, when, before, if, that, who), with the predicates.
import { adjectives, agree } from './adjectives.js';
import { be, isForms } from './clauses.js';
import { infinitive, joinedTo, said, suited } from './doings.js';
import { chance, frenchClause, pick } from './phrases.js';
import { ofPeople } from './predicates.js';
import { french as inFrench } from './conjugate.js';
import { someone } from './subjects.js';
import { split } from './times.js';

const dire = inFrench('dire');
const past = ['past', 'past'];
const wasDoing = ['wasDoing', 'imperfect'];
const present = ['present', 'present'];
const doing = ['progressive', 'present'];
const future = ['future', 'future'];

/** The pronoun for a subject: of a name or a noun "he", "elle", "they"; of a pronoun itself. */
export function pronounFor(subject) {
  const { person, feminine, isThing } = subject;
  if (!subject.noun && !subject.isName) return subject;
  if (person === 5)
    return { english: 'they', french: feminine ? 'elles' : 'ils', person, feminine, plural: true };
  const english = isThing ? 'it' : feminine ? 'she' : 'he';
  return { english, french: feminine ? 'elle' : 'il', person, feminine, isThing };
}

const moods = split(
  'tired=fatigué, sick=malade, happy=heureux, hungry=affamé, nervous=nerveux, sad=triste, proud=fier',
).map(([english]) => adjectives.person.find((adjective) => adjective.english === english));

const state = (random, subject, [english, french]) => {
  const adjective = pick(random, moods);
  return {
    english: `${subject.english} ${isForms[english][subject.person]} ${adjective.english}`,
    french: frenchClause(subject, be, french, { rest: agree(adjective, subject) }),
  };
};
const person = (random, subject) => ({
  subject: subject ?? someone(random),
  predicate: pick(random, ofPeople),
});
const tell = ({ subject, predicate }, tense, more) => said(subject, predicate, tense, more);

const pair = (first, joint, second) => ({
  english: `${first.english} ${joint[0]} ${second.english}`,
  french: `${first.french} ${/que$|si$/.test(joint[1]) ? que(joint[1], second.french) : `${joint[1]} ${second.french}`}`,
});
const que = (word, next) =>
  word === 'si' || word === 'même si'
    ? /^ils?\b/.test(next)
      ? `${word.slice(0, -1)}'${next}`
      : `${word} ${next}`
    : /^[aeiouéêâ]/i.test(next)
      ? `${word.slice(0, -1)}'${next}`
      : `${word} ${next}`;

/** The dependent clause first or last. */
function either(random, main, joint, dependent) {
  if (chance(random, 0.6)) return pair(main, joint, dependent);
  const first = /que$|si$/.test(joint[1])
    ? que(joint[1], dependent.french)
    : `${joint[1]} ${dependent.french}`;
  return {
    english: `${joint[0]} ${dependent.english}, ${main.english}`,
    french: `${first}, ${main.french}`,
  };
}

export function depends(random) {
  const one = person(random);
  const same = pronounFor(one.subject);
  const other = chance(random, 0.5) ? person(random, same) : suited(random, 0.7);
  return pick(random, [
    () =>
      pair(tell(one, past), ['because', 'parce que'], state(random, same, ['past', 'imperfect'])),
    () => pair(tell(one, doing), ['because', 'parce que'], state(random, same, present)),
    () => pair(tell(one, past), ['because', 'parce que'], tell(other, past)),
    () => either(random, tell(one, past), ['when', 'quand'], tell(suited(random), past)),
    () => either(random, tell(one, past), ['while', 'pendant que'], tell(suited(random), wasDoing)),
    () => pair(tell(one, wasDoing), ['when', 'quand'], tell(suited(random), past)),
    () =>
      either(
        random,
        tell(one, past),
        ['although', 'même si'],
        state(random, same, ['past', 'imperfect']),
      ),
    () => either(random, tell(one, future), ['if', 'si'], tell(suited(random, 0.5), present)),
    () => pair(tell(one, past), ['and', 'et'], tell(person(random, same), past)),
    () => {
      const [first, second] = [tell(one, past), tell(suited(random), past)];
      return {
        english: `${first.english}, but ${second.english}`,
        french: `${first.french}, mais ${second.french}`,
      };
    },
    () => pair(tell(one, past), ['as soon as', 'dès que'], tell(suited(random), past)),
    () => {
      const when = tell(other, ['present', 'future']);
      return either(random, tell(one, future), ['when', 'quand'], when);
    },
  ])();
}

const purposes = [
  ['before', 'avant de', 'ing'],
  ['without', 'sans', 'ing'],
  ['instead of', 'au lieu de', 'ing'],
  ['to', 'pour', 'english'],
  ['in order to', 'pour', 'english'],
];

/** "before going to bed", "without waking up", "to catch the bus". */
export function purpose(random) {
  const one = person(random);
  const [english, french, form] = pick(random, purposes);
  const other = infinitive(one.subject, pick(random, ofPeople));
  const main = tell(one, pick(random, [past, past, present, future]));
  const into = french.endsWith(' de')
    ? `${french.slice(0, -2)}${joinedTo('de', other.french)}`
    : `${french} ${other.french}`;
  return { english: `${main.english} ${english} ${other[form]}`, french: `${main.french} ${into}` };
}

/** "He says that …", "I think …", "do you know why …". */
export function reports(random) {
  const { subject, predicate } = suited(random, 0.75);
  const draw = random();
  if (draw < 0.35) {
    const [I, je] = pick(
      random,
      split(
        "I think=je pense, I know=je sais, I believe=je crois, he says=il dit, she says=elle dit, we know=nous savons, they say=ils disent, everybody knows=tout le monde sait, I hope=j'espère, the doctor says=le médecin dit, my father thinks=mon père pense",
      ),
    );
    const tense = /hope/.test(I) ? future : pick(random, [present, past, doing, future]);
    const clause = said(subject, predicate, tense);
    return {
      english: `${I} ${chance(random, 0.6) ? 'that ' : ''}${clause.english}`,
      french: `${je} ${que('que', clause.french)}`,
    };
  }
  if (draw < 0.6) {
    const [I, je] = pick(
      random,
      split(
        "I don't know=je ne sais pas, do you know=sais-tu, do you know=savez-vous, he asked me=il m'a demandé, tell me=dis-moi, nobody knows=personne ne sait, I'd like to know=j'aimerais savoir, she wants to know=elle veut savoir",
      ),
    );
    const asked = /asked/.test(I);
    const clause = said(subject, predicate, asked ? wasDoing : pick(random, [past, doing, future]));
    const [word, mot] = pick(
      random,
      split('why=pourquoi, when=quand, if=si, where=où, whether=si'),
    );
    return {
      english: `${I} ${word} ${clause.english}`,
      french: `${je} ${mot === 'si' ? que('si', clause.french) : `${mot} ${clause.french}`}`,
      mark: /^do you/.test(I) ? '?' : '.',
    };
  }
  const who = someone(random);
  if (draw < 0.8) {
    const clause = said(pronounFor(who), pick(random, ofPeople), ['past', 'imperfect']);
    const told = chance(random, 0.5) ? wasDoing : null;
    const clause_ = told ? said(pronounFor(who), pick(random, ofPeople), told) : clause;
    return {
      english: `${who.english} said ${chance(random, 0.6) ? 'that ' : ''}${clause_.english}`,
      french: `${frenchClause(who, dire, 'past')} ${que('que', clause_.french)}`,
      skip: !told,
    };
  }
  const adjective = pick(
    random,
    adjectives.person.filter(({ before, masculine }) => !before && !/ /.test(masculine)),
  );
  const what = infinitive(who, pick(random, ofPeople));
  return {
    english: `${who.english} ${isForms.past[who.person]} too ${adjective.english} to ${what.english}`,
    french: frenchClause(who, be, 'imperfect', {
      rest: `trop ${agree(adjective, who)} pour ${what.french}`,
    }),
  };
}

const folk = [
  ['people', 'les gens', 5, 'plural'],
  ['the man', "l'homme", 2],
  ['the woman', 'la femme', 2, 'feminine'],
  ['the boy', 'le garçon', 2],
  ['the girl', 'la fille', 2, 'feminine'],
  ['the children', 'les enfants', 5, 'plural'],
  ['children', 'les enfants', 5, 'plural'],
  ['the neighbour', 'le voisin', 2],
  ['somebody', "quelqu'un", 2],
  ['the women', 'les femmes', 5, 'plural', 'feminine'],
  ['the students', 'les étudiants', 5, 'plural'],
  ['the old lady', 'la vieille dame', 2, 'feminine'],
  ['the workers', 'les ouvriers', 5, 'plural'],
].map(([english, french, number, ...traits]) => ({
  english,
  french,
  person: number,
  plural: traits.includes('plural'),
  feminine: traits.includes('feminine'),
}));

/** "People who work at night sleep badly", "I know the woman who …", "the man whose dog barks". */
export function whoDoes(random) {
  const subject = pick(random, folk);
  const general = /^(people|children)$/.test(subject.english);
  const inner = said(
    subject,
    pick(random, ofPeople),
    general ? present : pick(random, [past, doing, present]),
  );
  const relative = {
    english: `${subject.english} who ${inner.english.slice(subject.english.length + 1)}`,
    french: `${subject.french} qui ${inner.french.slice(subject.french.length + 1)}`,
  };
  const draw = random();
  if (draw < 0.55) {
    const { english, french } = said(
      { ...subject, ...relative },
      pick(random, ofPeople),
      general ? present : pick(random, [past, past, present, future]),
    );
    return { english, french };
  }
  if (draw < 0.8) {
    const adjective = pick(random, adjectives.person);
    const [tense, temps] = general ? present : pick(random, [present, ['past', 'imperfect']]);
    return {
      english: `${relative.english} ${isForms[tense][subject.person]} ${adjective.english}`,
      french: `${relative.french} ${frenchClause({ french: '', person: subject.person }, be, temps, { rest: agree(adjective, subject) }).trim()}`,
    };
  }
  const [see, voir] = pick(
    random,
    split(
      "I know=je connais, we met=nous avons rencontré, I saw=j'ai vu, do you know=connais-tu, she married=elle a épousé, we are looking for=nous cherchons, he talked to=il a parlé à",
    ),
  );
  const at =
    see === 'he talked to'
      ? relative.french
          .replace(/^le /, 'au ')
          .replace(/^les /, 'aux ')
          .replace(/^(?=l['a]|qu)/, 'à ')
      : relative.french;
  return {
    english: `${see} ${relative.english}`,
    french: `${voir.replace(/ à$/, '')} ${at}`,
    mark: /^do you/.test(see) ? '?' : '.',
    skip:
      /^(people|children)$/.test(subject.english) ||
      (see === 'she married' && (subject.feminine || subject.plural)),
  };
}
