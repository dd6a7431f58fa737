// Frames: what a sentence can be about, and how often. Each gives { english, french } without capital and final
// mark, or with `mark` for another mark than the full stop.
import {
  animalDoes,
  doAlone,
  doObject,
  doSubstance,
  gives,
  hasSome,
  likes,
  wears,
} from './actions.js';
import {
  arrivesLate,
  borrowed,
  comparing,
  hadMeal,
  haveThem,
  looksLike,
  prefers,
  since,
  soThat,
  thatWas,
  twoAdjectives,
  wereDone,
  whenI,
  whoHelped,
} from './agreements.js';
import { changes, directions, places, twoThings, whileDoing } from './constructions.js';
import { onDate } from './dates.js';
import { does } from './doings.js';
import { joined, referent, relative } from './linked.js';
import { agrees, passive } from './long_subjects.js';
import { number, spelt } from './numbers.js';
import { event, simple } from './occasions.js';
import { pronounLinks } from './pronoun_links.js';
import { agreesBefore, withWhom } from './pronouns.js';
import { hasNo, quantities } from './quantities.js';
import { asks, order, whereIs } from './requests.js';
import { fits } from './fitting.js';
import { impersonal } from './impersonal.js';
import { depends, purpose, reports, whoDoes } from './sequences.js';
import { ache, belongs, compares, isSo, isThere, jobs, weather } from './states.js';
import { atTime } from './times_of_day.js';
import { treats } from './treats.js';
import { doesDoing } from './undertakings.js';
import { urges } from './urges.js';

export const frames = [
  [doObject, 18],
  [doSubstance, 5],
  [doAlone, 5],
  [animalDoes, 4],
  [isSo, 13],
  [isThere, 7],
  [whereIs, 6],
  [asks, 5],
  [hasSome, 4],
  [likes, 4],
  [gives, 9],
  [wears, 3],
  [ache, 2],
  [weather, 2],
  [compares, 3],
  [relative, 9],
  [referent, 8],
  [jobs, 2],
  [belongs, 4],
  [simple, 20],
  [order, 3],
  [joined, 3],
  [event, 7],
  [number, 18],
  [spelt, 6],
  [does, 26],
  [doesDoing, 10],
  [urges, 8],
  [depends, 18],
  [purpose, 6],
  [reports, 10],
  [impersonal, 5],
  [whoDoes, 9],
  [agrees, 16],
  [passive, 5],
  [onDate, 8],
  [treats, 9],
  [atTime, 6],
  [hasNo, 3],
  [withWhom, 5],
  [whileDoing, 3],
  [directions, 2],
  [twoThings, 5],
  [places, 5],
  [quantities, 6],
  [agreesBefore, 5],
  [changes, 4],
  [fits, 60],
  [pronounLinks, 450],
  [wereDone, 18],
  [twoAdjectives, 24],
  [since, 14],
  [thatWas, 24],
  [whoHelped, 12],
  [haveThem, 16],
  [prefers, 8],
  [arrivesLate, 5],
  [comparing, 12],
  [whenI, 10],
  [looksLike, 6],
  [hadMeal, 8],
  [soThat, 12],
  [borrowed, 5],
];
