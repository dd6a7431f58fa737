// Steps of the tour in order, from a single lookup to a blocked link between two texts, and the cost; each adds one
// idea. Links name a step by its number: a new one comes last.
//
// A step is { id, name, title, formula, says(lesson, place), build({ lesson, pick, ask, change }) }. build() returns {
// elements, show(place, palette) }, and show() draws a place and returns the Spelling of its chosen number.

import { backwards } from './steps/backwards.js';
import { cost } from './steps/cost.js';
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
import { whatIf } from './steps/what_if.js';

/**
 * @typedef {object} Spelling
 * @property {string[]} lines formulas, read from top to bottom
 * @property {[number, number, string?][]} [terms] products of the sum, and what each is of
 * @property {string} [termsTitle] heading of these products; default: all of them
 * @property {{ says: string, step: string, place: object }[]} [trail] where its parts came from
 */

export const steps = [
  ...[lookup, embedding, place, projection, score, scale, softmax],
  ...[mix, heads, backwards, cross, whatIf, cost],
];
