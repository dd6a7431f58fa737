// The steps of the tour, in their order: from one lookup to two texts, one change a step.
//
// A step is { id, name, title, formula, says(lesson, place), build({ lesson, pick, ask }) }; build() makes
// { elements, show(place, palette) }, and show() draws the place and returns how its number is spelt.

import { backwards } from './steps/backwards.js';
import { cross } from './steps/cross.js';
import { embedding } from './steps/embedding.js';
import { heads } from './steps/heads.js';
import { lookup } from './steps/lookup.js';
import { mix } from './steps/mix.js';
import { place } from './steps/place.js';
import { projection } from './steps/projection.js';
import { scale } from './steps/scale.js';
import { score } from './steps/score.js';
import { softmax } from './steps/softmax.js';

/**
 * @typedef {object} Spelling
 * @property {string[]} lines formulas, read from top to bottom
 * @property {[number, number, string?][]} [terms] all products of the sum, and what each is of
 * @property {{ says: string, step: string, place: object }[]} [trail] where its parts came from
 */

export const steps = [
  ...[lookup, embedding, place, projection, score, scale, softmax],
  ...[mix, heads, backwards, cross],
];
