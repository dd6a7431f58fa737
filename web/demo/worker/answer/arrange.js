// Third step: the picture of a computation, its tokens hidden, merged and sorted as the reader chose, with its facts and
// the inspection of the selected weight.

import { placeIn, tokensOf } from '../../positions.js';
import { viewNamed } from '../../view_list.js';
import { arrange as arrangeTokens, groupTokens } from '../compute/arrange.js';
import { eachStage, pictureOf } from '../compute/picture.js';
import { labelOf } from '../sources/token_groups.js';
import { emptyFacts, factsOf } from './facts.js';
import { inspectionAt, within } from './inspected.js';
import { shiftOf } from './labels.js';
import { generalOf, thumbnailsOf } from './thumbnails.js';

/** @import { Beside, DrawnReading, Facts, Inspection, Label, Picture, ReferenceShares } from '../../types' */
/** @import { State } from '../../state/types' */
/** @import { Computation, Drawn, EmptyComputation, Labels } from '../types' */

/** @type {(keyof State)[]} */
const settings = ['average', 'hideSpecial', 'merge', 'pair', 'sort', 'fused'];

/**
 * Equal keys have the same picture and facts.
 * @param {Computation} computation
 */
export function keyOf({ key, request: { state }, labels, stages }) {
  const { beside, otherText } = state;
  const { needs } = viewNamed(state.view);
  return JSON.stringify([
    key,
    settings.map((name) => state[name]),
    state.sort === 'read' && rowOf(state, labels),
    needs,
    needs === 'beside' && [beside, beside === 'text' && otherText],
    stages.moved !== undefined,
  ]);
}

/** @type {(state: State, labels: Labels) => number} */
const rowOf = (state, labels) => within(state.row ?? 0, labels.rows);

/**
 * The picture is null if there is nothing to draw.
 * @param {Computation | EmptyComputation} computation
 * @param {ReferenceShares} referenceShares
 * @returns {Promise<{ picture: Picture | null, facts: Facts, inspection: Inspection | null, drawn: Drawn | null }>}
 */
export async function arrange(computation, referenceShares) {
  const nothing = { picture: null, inspection: null, drawn: null };
  if (!computation.labels) return { ...nothing, facts: factsWithout(computation) };
  const { request, part, reading, labels, computed, stages } = computation;
  const { state } = request;
  const facts = {
    ...factsOf(part, reading, request, computed.options),
    ...formerRowsOf(reading, labels, state),
  };
  const row = rowOf(state, labels);
  /** @type {Picture} */
  const picture = arrangeTokens(pictureOf(part, reading, stages, state), { ...state, row });
  if (picture.rows.length === 0 || picture.columns.length === 0) return { ...nothing, facts };
  const { rows, columns, rowTokens, columnTokens, average } = picture;
  const drawn = { rows, columns, rowTokens, columnTokens, average };
  const place = tokensOf(picture, placeIn(picture, state));
  const inspection = inspectionAt({ ...computation, drawn }, { ...place, head: state.head });
  await addRoles(picture, computation, referenceShares);
  const { needs } = viewNamed(state.view);
  if (needs === 'thumbnails') picture.thumbnails = await thumbnailsOf(computation, referenceShares);
  if (needs === 'beside') picture.beside = await besideFor(picture, computation);
  // Arrays are transferred to the page: the cached ones are copied.
  picture.stages = eachStage(picture.stages, (values) =>
    Object.values(stages).includes(values) ? values.slice() : values,
  );
  return { picture, facts: withMerge(facts, picture, labels, state), inspection, drawn };
}

/**
 * Facts that say why pieces of words stay apart where they should be merged.
 * @param {Facts} facts
 * @param {Picture} picture
 * @param {Labels} labels
 * @param {State} state
 * @returns {Facts}
 */
function withMerge(facts, { columnTokens }, { columns }, { merge }) {
  const isApart = columnTokens.some(
    ([token, ...more], at) =>
      more.length === 0 &&
      !columns[token].special &&
      columns[columnTokens[at + 1]?.[0]]?.word === columns[token].word,
  );
  if (!merge || !isApart) return facts;
  const says = 'Its tokens are characters: merged, they would leave one or two columns.';
  return { ...facts, overruled: { ...facts.overruled, merge: says } };
}

/** @param {EmptyComputation} computation */
const factsWithout = ({ request, ...made }) =>
  made.part ? factsOf(made.part, made.reading, request, {}) : emptyFacts(made.reading, request);

/**
 * Rows of the text that the model wrote with nothing blocked, arranged as the rows of this part, if these are that text.
 * @param {DrawnReading} reading
 * @param {Labels} labels
 * @param {State} state
 * @returns {Pick<Facts, 'formerRows'>}
 */
function formerRowsOf(reading, labels, state) {
  const { rows } = reading;
  const former = reading.kind === 'model' ? reading.formerRows : undefined;
  if (!former || labels.rows !== rows) return {};
  const [groups] = groupTokens({ rows: former, columns: [] }, state);
  return { formerRows: groups.map((tokens) => labelOf(tokens, former)) };
}

/**
 * What each head does, and for the built-in model how much it does so in general.
 * @param {Picture} picture
 * @param {Computation} computation
 * @param {ReferenceShares} referenceShares
 */
async function addRoles(picture, { request, part, reading }, referenceShares) {
  const { rolesOf } = await import('../compute/head_roles.js');
  const general = picture.average ? undefined : generalOf(part, request.state, referenceShares);
  picture.roles = rolesOf(picture, picture.stages.weights, shiftOf(part, reading), general);
}

/**
 * @param {Picture} picture
 * @param {Computation} computation
 * @returns {Promise<Beside>}
 */
async function besideFor(picture, { request, part, reading, besideReading, computed }) {
  const { api, state } = request;
  const { besideOf } = await import('../compute/beside.js');
  const { beside, otherText } = state;
  const changed = beside === 'text' ? ['text', otherText] : beside.split(':');
  const alternative = /** @type {[Beside['what'], string]} */ (changed);
  const own = { part, reading, computed };
  return besideOf(api, own, picture, alternative, state, { otherReading: besideReading });
}
