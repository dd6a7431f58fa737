// What follows from the store. Nothing here is kept anywhere.

import { placeOfPart } from '../blocks.js';
import { headIn, placeIn, tokensOf } from '../positions.js';
import { selecting } from '../state_fields.js';
import { isOfModel, isOfTexts, textsOf } from '../texts.js';

/** The source of vectors. */
export const sourceOf = ({ sources, chosen }) =>
  sources.find(({ id }) => id === chosen.source) ?? sources[0];

export const isAwaiting = ({ awaited }) => awaited.picture || awaited.inspection;

/** { row, column, part, head } of the picture, and the hovered position; null without a picture. */
export function placeOf({ chosen, answer: { picture }, hovered }) {
  if (!picture) return null;
  return {
    ...placeIn(picture, chosen),
    part: picture.part,
    head: headIn(picture, chosen.head),
    hovered: hovered && isIn(picture, hovered) ? hovered : undefined,
  };
}

// A hovered position may not exist in a new picture.
const isIn = ({ rows, columns, heads }, { row = 0, column = 0, head = 0 }) =>
  row < rows.length && column < columns.length && head < heads;

/** Place of the inspection that belongs to the store, as the worker takes it; null without a picture. */
export function inspectionOf(store) {
  const { chosen, piece, answer } = store;
  const { picture, facts } = answer;
  if (!picture) return null;
  const { heads } = facts.parts.find(({ id }) => id === facts.part);
  const head = Math.min(chosen.head, heads - 1);
  return { head, ...(piece ?? tokensOf(picture, placeOf(store))), isPiece: piece !== null };
}

/** True if the inspection that belongs to the store has come. */
export function hasInspection(store) {
  const wanted = inspectionOf(store);
  const request = store.answer.inspection?.request;
  return wanted !== null && Object.keys(wanted).every((name) => wanted[name] === request?.[name]);
}

/**
 * The place in the picture that the inspection is about. Until that of another selection has come it is the former one, so
 * that all that the inspector shows is about one pair.
 */
export function inspectedPlace(store) {
  const { picture, inspection } = store.answer;
  if (!inspection) return placeOf(store);
  const { head, row, column } = inspection.request;
  return { ...placeIn(picture, { row, column, head }), head: headIn(picture, head) };
}

/**
 * The mode that the switch shows: that of the attention in the picture, which in a translation may be the self-attention
 * of the encoder or the decoder.
 */
export function shownMode({ chosen, awaited, answer: { facts } }) {
  const { mode, part } = chosen;
  if (mode !== 'cross' || !isOfModel(chosen)) return mode;
  const { stack } = placeOfPart(awaited.picture || !facts ? part : facts.part);
  return ['encoder', 'decoder'].includes(stack) ? 'self' : mode;
}

/** Whether two states have the same texts: the same picture but for settings. */
export const hasTextsOf = (one, other) => textsKey(one) === textsKey(other);
const textsKey = (chosen) =>
  JSON.stringify([chosen.source, chosen.mode, chosen.begin, textsOf(chosen)]);

/** What of the model has come, if the picture of the texts waits for it: { text, fraction? }, or null. */
export const awaitedModel = ({ loading, readyFor, chosen }) =>
  loading && readyFor && hasTextsOf(readyFor, chosen) ? null : loading;

/** What changes with these fields: 'selection', 'drawing' or 'picture'. */
export const needs = (names, drawing) => {
  const only = (list) => names.every((name) => list.includes(name));
  return only(selecting) ? 'selection' : only(drawing) ? 'drawing' : 'picture';
};

/** The mode "Learn" has a worker of its own. */
export const hasPicture = ({ mode }) => isOfTexts(mode);

/** Names of the fields that differ. */
export const changedFields = (now, before) =>
  Object.keys(now).filter((name) => !Object.is(now[name], before[name]));
