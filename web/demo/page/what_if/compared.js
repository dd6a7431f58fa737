// A comparison with another text, as the strip of the answer shows it.

import { wordsThatDiffer } from '../views/compare_choices.js';

/**
 * Arguments of the strip's answer; null where no other text is shown, or nothing is written for it. `words` and
 * `otherWords`: NextWords of the text and of the other one, as answerOf() returns them.
 */
export function comparedOf({ state, picture, facts, words: own, otherWords }) {
  if (state.view !== 'compare' || picture?.beside?.what !== 'text') return null;
  const [was, now] = [facts.translation, picture.beside.translation];
  const words = [own, otherWords];
  const isKnown = words.every((one) => one?.isDue === false && one.answer?.words?.length > 0);
  if (now === undefined && !isKnown) return null;
  return {
    words: wordsThatDiffer(picture),
    ...(was !== undefined && { was, now }),
    next: isKnown ? words.map(({ answer }) => answer) : null,
    lang: state.source === 'model' ? 'fr' : undefined,
  };
}
