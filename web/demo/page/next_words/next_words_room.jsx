// Next words at the selected row, in their room, where a model writes.

import { placeIn } from '../../positions.js';
import { openingState } from '../../state_fields.js';
import { awaitedModel, placeInPicture } from '../../state/derived.js';
import { answerOf } from '../../state/questions.js';
import { useLatest } from '../component.jsx';
import { NextWords } from './next_words.jsx';

/** @import { NextWords as Answer } from '../../types' */
/** @import { Store } from '../../state/types' */

/** `now`: the store; `isElsewhere`: the pointer is in another row than the selected one; `change` as in actions.js. */
export function NextWordsRoom({ now, isElsewhere, change }) {
  const { chosen, answer } = now;
  const { facts } = answer;
  const isOurs = chosen.source === 'model' && chosen.mode === 'cross';
  const words = wordsOf(now);
  // The last ones keep their place until the next have come.
  const latest = useLatest(words, words !== null);
  const look = [
    'next-words',
    ...(isElsewhere ? ['of-another-row'] : []),
    ...(words ? [] : ['empty']),
  ];
  return (
    <div class={look.join(' ')} hidden={!isOurs && !(chosen.source === 'own' && facts?.hasNext)}>
      {latest && <NextWords {...latest} change={change} />}
    </div>
  );
}

/**
 * Arguments of NextWords(), or null where they have not come.
 * @param {Store} now
 */
function wordsOf(now) {
  const { chosen } = now;
  const { picture, facts } = now.answer;
  if (!picture) return null;
  const { row } = placeInPicture(picture, chosen);
  const token = picture.rowTokens[row][0];
  if (facts.isPrerendered) {
    // The build has the words of the row that the page opens with; they can be chosen when the model has come.
    const isOpening = row === placeIn(picture, openingState).row && !awaitedModel(now);
    return isOpening && facts.next
      ? { answer: facts.next, token, begin: '', isUsable: false }
      : null;
  }
  const answer = answerOf(now, 'nextWords')?.answer;
  return answer?.words && answer.text === facts.texts[0]
    ? { answer, token, begin: chosen.begin, isUsable: true }
    : null;
}
