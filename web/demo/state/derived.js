// What follows from the store. Nothing here is kept anywhere.

import { placeOfPart } from '../blocks.js';
import { headIn, placeIn, tokensOf } from '../positions.js';
import { selecting } from '../state_fields.js';
import { isOfModel, isOfTexts, textsOf } from '../texts.js';

/** @import { Mode, Picture } from '../types' */
/** @import { InspectedPlace, Loading, Place, PointedPlace, Position, ShownAnswer, State, Store } from './types' */

/**
 * The source of vectors.
 * @param {Pick<Store, 'sources' | 'chosen'>} store
 */
export const sourceOf = ({ sources, chosen }) =>
  sources.find(({ id }) => id === chosen.source) ?? sources[0];

/** @param {Pick<Store, 'awaited'>} store */
export const isAwaiting = ({ awaited }) => awaited.picture || awaited.inspection;

/**
 * The selected place of the picture, and the hovered position; null without a picture.
 * @param {Store} store
 * @returns {PointedPlace | null}
 */
export const placeOf = ({ chosen, answer: { picture }, hovered }) =>
  picture && placeInPicture(picture, chosen, hovered);

/**
 * The same for a picture that is there.
 * @param {Picture} picture
 * @param {State} chosen
 * @param {Position | null} hovered
 * @returns {PointedPlace}
 */
export function placeInPicture(picture, chosen, hovered = null) {
  return {
    ...placeIn(picture, chosen),
    part: picture.part,
    head: headIn(picture, chosen.head),
    hovered: hovered && isIn(picture, hovered) ? hovered : undefined,
  };
}

/**
 * A hovered position may not exist in a new picture.
 * @param {Picture} picture
 * @param {Position} position
 */
const isIn = ({ rows, columns, heads }, { row = 0, column = 0, head = 0 }) =>
  row < rows.length && column < columns.length && head < heads;

/**
 * Place of the inspection that belongs to the store, as the worker takes it; null without a picture.
 * @param {Pick<Store, 'chosen' | 'piece' | 'answer'>} store
 * @returns {InspectedPlace | null}
 */
export function inspectionOf({ chosen, piece, answer }) {
  const { picture, facts } = answer;
  if (!picture) return null;
  const head = Math.min(chosen.head, currentPart(facts).heads - 1);
  const place = piece ?? tokensOf(picture, placeInPicture(picture, chosen));
  return { head, ...place, isPiece: piece !== null };
}

/**
 * The part of the picture, which is one of its reading.
 * @template {{ id: string }} Part
 * @param {{ parts: Part[], part: string }} facts
 */
export const currentPart = ({ parts, part }) =>
  /** @type {Part} */ (parts.find(({ id }) => id === part));

/**
 * True if the inspection that belongs to the store has come.
 * @param {Store} store
 */
export function hasInspection(store) {
  const wanted = inspectionOf(store);
  const request = store.answer.inspection?.request;
  if (!wanted || !request) return false;
  const { head, row, column, isPiece } = wanted;
  return (
    head === request.head &&
    row === request.row &&
    column === request.column &&
    isPiece === request.isPiece
  );
}

/**
 * The place in the picture that the inspection is about. Until that of another selection has come it is the former one, so
 * that all that the flow shows is about one pair.
 * @param {Pick<Store, 'chosen'> & { answer: ShownAnswer }} store
 * @returns {Place}
 */
export function inspectedPlace({ chosen, answer: { picture, inspection } }) {
  if (!inspection) return placeInPicture(picture, chosen);
  const { head, row, column } = inspection.request;
  return { ...placeIn(picture, { row, column, head }), head: headIn(picture, head) };
}

/**
 * The mode that the switch shows: that of the attention in the picture, which in a translation may be the self-attention
 * of the encoder or the decoder.
 * @param {Store} store
 * @returns {Mode}
 */
export function shownMode({ chosen, awaited, answer: { facts } }) {
  const { mode, part } = chosen;
  if (mode !== 'cross' || !isOfModel(chosen)) return mode;
  const { stack } = placeOfPart(awaited.picture || !facts ? part : facts.part);
  return ['encoder', 'decoder'].includes(stack) ? 'self' : mode;
}

/**
 * Whether two states have the same texts: the same picture but for settings.
 * @param {State} one
 * @param {State} other
 */
export const hasTextsOf = (one, other) => textsKey(one) === textsKey(other);
/** @param {State} chosen */
const textsKey = (chosen) =>
  JSON.stringify([chosen.source, chosen.mode, chosen.begin, chosen.readFrom, textsOf(chosen)]);

/**
 * What of the model has come, if the picture of the texts waits for it.
 * @param {Store} store
 * @returns {Loading | null}
 */
export function awaitedModel({ loading, readyFor, chosen, awaited, answer: { facts } }) {
  if (readyFor && hasTextsOf(readyFor, chosen)) return null;
  // The worker itself is on its way, while the picture is that of the build.
  const isComing = awaited.picture && facts?.isPrerendered;
  return loading ?? (isComing ? { text: 'Loading the model', fraction: undefined } : null);
}

/**
 * What changes with these fields.
 * @param {(keyof State)[]} names
 * @param {(keyof State)[]} drawing
 * @returns {'selection' | 'drawing' | 'picture'}
 */
export const needs = (names, drawing) => {
  /** @param {(keyof State)[]} list */
  const only = (list) => names.every((name) => list.includes(name));
  return only(selecting) ? 'selection' : only(drawing) ? 'drawing' : 'picture';
};

/**
 * The mode "Learn" has a worker of its own.
 * @param {State} chosen
 */
export const hasPicture = ({ mode }) => isOfTexts(mode);

/**
 * Names of the fields that differ.
 * @param {State} now
 * @param {State} before
 */
export const changedFields = (now, before) =>
  /** @type {(keyof State)[]} */ (Object.keys(now)).filter(
    (name) => !Object.is(now[name], before[name]),
  );
