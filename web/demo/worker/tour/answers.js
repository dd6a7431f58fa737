// Answers for the tour: its lesson, and its soft lookup at a temperature.

import { lookUp } from '../compute/lookup.js';
import { loadModel } from '../sources/model.js';
import { makeLesson } from './lesson.js';

export const tour = {
  lookup: (api, { table }) => lookUp(api, table),
  lesson: async (api) => makeLesson(api, await loadModel(api)),
};
