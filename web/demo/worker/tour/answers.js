// Answers for the tour: its lesson, its soft lookup at a temperature, its blocked link, and the cost at a length.

import { measureCosts } from '../compute/costs.js';
import { lookUp } from '../compute/lookup.js';
import { loadModel } from '../sources/translator.js';
import { blockLink, wordsAt } from './blocked_link.js';
import { makeLesson } from './lesson.js';

export const tour = {
  lookup: (api, { table }) => lookUp(api, table),
  lesson: async (api) => makeLesson(api, await loadModel(api)),
  words: async (api, place) => wordsAt(await loadModel(api), place),
  blocked: async (api, link) => blockLink(api, await loadModel(api), link),
  cost: measureCosts,
};
