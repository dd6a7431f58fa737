// Who does something: pronouns, names, people, animals.
import { men, women } from './names.js';
import { nouns } from './nouns.js';
import { chance, phrase, pick } from './phrases.js';
import { inventedName } from './words.js';

const pronouns = [
  { english: 'I', french: 'je', person: 0 },
  { english: 'I', french: 'je', person: 0 },
  { english: 'you', french: 'tu', person: 1 },
  { english: 'he', french: 'il', person: 2 },
  { english: 'she', french: 'elle', person: 2, feminine: true },
  { english: 'we', french: 'nous', person: 3, plural: true },
  { english: 'you', french: 'vous', person: 4 },
  { english: 'they', french: 'ils', person: 5, plural: true },
];

/** A name with the gender of those who have it; one in three is nobody's. */
export function name(random) {
  const feminine = chance(random, 0.5);
  if (chance(random, 0.35)) return { text: inventedName(random, chance(random, 0.2)), feminine };
  const text = pick(random, feminine ? women : men);
  return text === 'Mary' ? name(random) : { text, feminine }; // Marie in French
}

export function someone(random) {
  const draw = random();
  if (draw < 0.4) return pick(random, pronouns);
  if (draw < 0.6) {
    const { text, feminine } = name(random);
    return { english: text, french: text, person: 2, feminine, isName: true };
  }
  if (draw < 0.7) {
    const [first, second] = [name(random), name(random)];
    return {
      english: `${first.text} and ${second.text}`,
      french: `${first.text} et ${second.text}`,
      person: 5,
      plural: true,
      feminine: first.feminine && second.feminine,
      isName: true,
    };
  }
  const kind = pick(random, ['family', 'person', 'person']);
  return phrase(random, kind, pick(random, nouns[kind]), {
    determiners: ['the', 'the', 'own', 'a', 'this'],
    described: 0.2,
  });
}

export const animal = (random) =>
  phrase(random, 'animal', pick(random, nouns.animal), {
    determiners: ['the', 'the', 'own', 'a', 'this', 'number'],
    described: 0.5,
  });
