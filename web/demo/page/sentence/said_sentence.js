// The sentence of a cell of the store's picture.

import { placeInPicture } from '../../state/derived.js';
import { isInPercent } from '../../state/settings.js';
import { sentenceParts, sentenceText } from './sentence_text.js';

/** @import { Store } from '../../state/types' */

/**
 * Parts of the sentence for the cell under the pointer, else the selected one; null without a picture.
 * @param {Store} now
 */
export const shownSentence = (now) => partsOf(now, now.hovered);

/**
 * The sentence of the selected cell as plain text; '' without a picture.
 * @param {Store} now
 */
export const saidSentence = (now) => sentenceText(partsOf(now, null) ?? []);

/** @param {Store} now @param {Store['hovered']} hovered */
function partsOf({ chosen, answer: { picture, facts } }, hovered) {
  if (!picture) return null;
  const at = placeInPicture(picture, chosen, hovered);
  return sentenceParts({
    ...{ picture, facts, isPercent: isInPercent(chosen, picture) },
    ...{ place: { ...at, ...at.hovered }, source: chosen.source },
  });
}
