// Steps of the tour in order, from a single lookup to a blocked link between two texts, and the cost; each adds one
// idea. Links name a step by its number: a new one comes last.

import { backwards } from './steps/backwards.js';
import { cost } from './steps/cost.js';
import { cross } from './steps/cross.js';
import { embedding } from './steps/embedding.js';
import { heads } from './steps/heads.js';
import { lookup } from './steps/lookup.jsx';
import { mix } from './steps/mix.js';
import { place } from './steps/place.js';
import { projection } from './steps/projection.js';
import { scale } from './steps/scale.js';
import { score } from './steps/score.js';
import { softmax } from './steps/softmax.js';
import { whatIf } from './steps/what_if.js';

/** @import { Lesson } from '../../types' */
/** @import { TourQuestion } from '../../worker/messages' */
/** @import { Palette } from '../palette.js' */
/** @import { TourPlace } from './place.js' */

/**
 * @typedef {object} Step
 * @property {string} id
 * @property {string} name
 * @property {string} title
 * @property {string} formula
 * @property {boolean} [withoutModel] it can be shown before the model has come
 * @property {(lesson: Lesson, place: TourPlace) => string[]} says paragraphs about the place that the reader chose
 * @property {(tools: StepTools) => { elements: Element[], show(place: TourPlace, palette: Palette): Spelling | null }} build
 * show() draws a place, and returns the spelling of its chosen number
 */
/**
 * @typedef {object} StepTools
 * @property {Lesson} lesson missing in a step that is shown without the model
 * @property {(place: Partial<TourPlace>) => void} pick
 * @property {(question: TourQuestion) => Promise<unknown>} ask
 * @property {(part: object) => void} change
 */
/**
 * @typedef {object} Spelling
 * @property {string[]} lines formulas, read from top to bottom
 * @property {[number, number, string?][]} [terms] products of the sum, and what each is of
 * @property {string} [termsTitle] heading of these products; default: all of them
 * @property {{ says: string, step: string, place: object }[]} [trail] where its parts came from
 */

/** @type {Step[]} */
export const steps = [
  ...[lookup, embedding, place, projection, score, scale, softmax],
  ...[mix, heads, backwards, cross, whatIf, cost],
];
