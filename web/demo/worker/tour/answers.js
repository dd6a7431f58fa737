// Answers for the tour: its lesson, its soft lookup at a temperature, its blocked link, and the cost at a length.

import { measureCosts } from '../compute/costs.js';
import { lookUp } from '../compute/lookup.js';
import { blockLink, wordsAt } from './blocked_link.js';
import { makeLesson } from './lesson.js';

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { TourQuestion } from '../messages' */

/**
 * @param {AttentionApi} api
 * @param {TourQuestion} question
 */
export async function answerOf(api, question) {
  switch (question.about) {
    case 'lookup':
      return lookUp(api, question.table);
    case 'lesson':
      return makeLesson(api);
    case 'words':
      return wordsAt(api, question);
    case 'blocked':
      return blockLink(api, question);
    default:
      return measureCosts(api, question);
  }
}
