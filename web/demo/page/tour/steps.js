// Steps of the tour in order, from a single lookup to a blocked link between two texts, and the cost; each adds one
// idea.

import { tourSteps } from '../../state/tour.js';
import { backwards } from './steps/backwards.jsx';
import { cost } from './steps/cost.jsx';
import { cross } from './steps/cross.jsx';
import { embedding } from './steps/embedding.jsx';
import { heads } from './steps/heads.jsx';
import { lookup } from './steps/lookup.jsx';
import { mix } from './steps/mix.jsx';
import { place } from './steps/place.jsx';
import { projection } from './steps/projection.jsx';
import { scale } from './steps/scale.jsx';
import { score } from './steps/score.jsx';
import { softmax } from './steps/softmax.jsx';
import { whatIf } from './steps/what_if.jsx';

/** @import { VNode } from 'preact' */
/** @import { State, Tour, TourPlace } from '../../state/types' */
/** @import { Lookup } from '../../state_fields.js' */
/** @import { Lesson } from '../../types' */
/** @import { LookupAnswer } from '../../worker/messages' */
/** @import { TourPalette } from './tour_palette.js' */

/**
 * The reader's choices; the price list of the first step, and its latest answer.
 * @typedef {TourPlace & { lookup: Lookup, found?: LookupAnswer }} StepPlace
 */
/**
 * What a step reads: `lesson` is missing in a step that is shown without the model. Calls: pick() changes the place.
 * @typedef {object} ShownStep
 * @property {Lesson} lesson
 * @property {StepPlace} place
 * @property {Tour} tour
 * @property {TourPalette} palette
 * @property {(place: Partial<TourPlace>) => void} pick
 * @property {(part: object) => void} change
 */
/**
 * @typedef {object} Step
 * @property {string} id
 * @property {string} title
 * @property {string} formula
 * @property {boolean} [withoutModel] it can be shown before the model has come
 * @property {(lesson: Lesson, place: StepPlace) => string[]} says paragraphs about the place that the reader chose
 * @property {(shown: ShownStep) => VNode} Figure
 * @property {(lesson: Lesson, place: StepPlace, tour: Tour) => Spelling | null} spell spells out the chosen number
 */
/**
 * @typedef {object} Spelling
 * @property {string[]} lines formulas, read from top to bottom
 * @property {[number, number, string?][]} [terms] products of the sum, and what each is of
 * @property {string} [termsTitle] heading of these products; default: all of them
 * @property {{ says: string, step: string, place: object }[]} [trail] where its parts came from
 */

const all = [
  ...[lookup, embedding, place, projection, score, scale, softmax],
  ...[mix, heads, backwards, cross, whatIf, cost],
];

/** @type {Step[]} */
export const steps = tourSteps.map((id) => /** @type {Step} */ (all.find((one) => one.id === id)));
