// Actions of the reader, as functions from a store to the next one. They decide what has to be asked of the worker; the
// question itself is derived (request.js).

import { placeOfPart } from '../blocks.js';
import { drawing, initialState } from '../state_fields.js';
import { fieldsOf } from '../texts.js';
import {
  changedFields,
  currentPart,
  hasInspection,
  hasPicture,
  inspectionOf,
  isAwaiting,
  needs,
} from './derived.js';
import { pointedIn, tokensAt } from './selection.js';

/** @import { Example, Mode, Picture } from '../types' */
/** @import { Position, Selection, State, Store } from './types' */

/**
 * Fields that make another picture, with other tokens or weights.
 * @type {(keyof State)[]}
 */
const makers = ['mode', 'text', 'french', 'begin', 'readFrom', 'block', 'part'];

/**
 * Fields that an example sets, and that make its picture another one.
 * @type {(keyof State)[]}
 */
const ofExample = ['mode', 'source', 'text', 'french', 'context', 'otherText'];

/**
 * Changes fields of the state, with those that depend on them.
 * @param {Store} store
 * @param {Partial<State>} part
 * @returns {Store}
 */
export function choose(store, part) {
  const { chosen } = store;
  const next = { ...chosen, ...withDependents(chosen, { ...besideOf(store, part), ...part }) };
  const names = changedFields(next, chosen);
  // A position set together with what makes another picture belongs to that picture.
  const isPlaced = store.isPlaced || ('row' in part && makers.some((name) => name in part));
  if (names.length === 0) return isPlaced === store.isPlaced ? store : { ...store, isPlaced };
  // The word of an example is selected in its own text only.
  const example = names.some((name) => ofExample.includes(name)) ? null : store.example;
  const changed = {
    ...{ ...store, chosen: next, example, isPlaced, isTyped: false },
    ...{ hovered: null, piece: null, playing: null },
  };
  const needed = needs(names, drawing);
  // A selection needs no new picture, unless columns are sorted by the selected row.
  const canInspect = store.answer.picture && !store.awaited.picture && next.sort !== 'read';
  if (needed === 'selection' && canInspect) return askInspection(changed);
  return needed === 'drawing' && !lacksStage(changed) ? changed : askPicture(changed);
}

/**
 * @param {State} chosen
 * @param {Partial<State>} part
 * @returns {Partial<State>}
 */
function withDependents(chosen, part) {
  // Another text resets the beginning of its translation.
  const isOther = 'text' in part || 'french' in part;
  // What is blocked belongs to a text of a model.
  const isElsewhere = isOther || 'source' in part;
  // Tokens of another part of the text have other places.
  const isMoved = 'readFrom' in part;
  const whole = {
    ...(isOther && { begin: '' }),
    ...((isElsewhere || 'mode' in part) && { readFrom: 0 }),
    ...((isElsewhere || isMoved) && { block: '' }),
    ...(isMoved && { row: null, column: null }),
    ...part,
  };
  const { kind, stage } = { ...chosen, ...whole };
  // The difference from softmax does not exist for softmax itself.
  return kind === 'softmax' && stage === 'difference' ? { ...whole, stage: 'weights' } : whole;
}

/**
 * The comparison opens with another head, where there is one and the reader has chosen no alternative.
 * @param {Store} store
 * @param {Partial<State>} part
 * @returns {Partial<State>}
 */
function besideOf({ chosen, answer: { facts } }, { view }) {
  const isOpened = view === 'compare' && chosen.view !== 'compare';
  const isChosen = chosen.beside !== initialState.beside;
  if (!isOpened || isChosen || !facts || !(currentPart(facts)?.heads > 1)) return {};
  return { beside: `head:${chosen.head === 1 ? 0 : 1}` };
}

/**
 * The stage “Moved” is computed only when it is shown.
 * @param {Store} store
 */
const lacksStage = ({ chosen: { stage }, answer: { picture, facts } }) =>
  stage === 'moved' && facts?.canMove && !picture?.stages.moved;

/**
 * Changes a text as it is typed.
 * @param {Store} store
 * @param {Partial<State>} part
 */
export function type(store, part) {
  const typed = choose(store, part);
  return typed === store ? store : { ...typed, isTyped: true };
}

/**
 * Asks for the picture of the state.
 * @param {Store} store
 * @returns {Store}
 */
export function askPicture(store) {
  if (!hasPicture(store.chosen)) return store;
  const { asked, awaited } = store;
  return {
    ...store,
    asked: { ...asked, picture: asked.picture + 1 },
    awaited: { ...awaited, picture: true },
  };
}

/**
 * Cancels the computation of the picture: that of the state before stays, and any change asks again.
 * @param {Store} store
 * @returns {Store}
 */
export function cancelPicture(store) {
  if (!store.awaited.picture) return store;
  const { asked } = store;
  return {
    ...store,
    asked: { ...asked, stop: asked.stop + 1 },
    awaited: { picture: false, inspection: false },
    ...{ loading: null, problem: canceled },
  };
}

const canceled = 'The computation was canceled. Any change of the text or of a setting starts it.';

/**
 * Asks for the inspection of the selection, unless it has come and nothing else is due.
 * @param {Store} store
 * @returns {Store}
 */
export function askInspection(store) {
  if (!inspectionOf(store) || (hasInspection(store) && !isAwaiting(store))) return store;
  const { asked, awaited } = store;
  return {
    ...store,
    asked: { ...asked, inspection: asked.inspection + 1 },
    awaited: { ...awaited, inspection: true },
  };
}

/**
 * Asks for the head and the pair of words in which the text beside differs most.
 * @type {(store: Store) => Store}
 */
export const askDifference = (store) => ({
  ...store,
  asked: { ...store.asked, difference: store.asked.difference + 1 },
});

/**
 * A selection in a view.
 * @param {Store} store
 * @param {Selection} place
 */
export function select(store, place) {
  const { picture } = store.answer;
  if (!picture) return store;
  const isRow = place.row !== undefined && place.column === undefined;
  return choose(store, tokensAt(picture, isRow ? { ...place, column: null } : place));
}

/**
 * Selects a row and the column it attends to most.
 * @param {Store} store
 * @param {number} row
 */
export const read = (store, row) => select(store, { row });

/**
 * The pointer is on a position of the picture; null for none.
 * @param {Store} store
 * @param {Position | null} place
 */
export function point(store, place) {
  const { picture } = store.answer;
  if (!picture || store.playing) return store;
  const hovered = place && pointedIn(picture, place, store.chosen.head);
  const isSame = JSON.stringify(hovered) === JSON.stringify(store.hovered);
  return isSame ? store : { ...store, hovered };
}

/**
 * A pair of tokens of the selected words is spelled out.
 * @param {Store} store
 * @param {Store['piece']} piece
 */
export const spellOut = (store, piece) => askInspection({ ...store, piece });

/**
 * Shows an example; `other`: another text to compare with.
 * @param {Store} store
 * @param {Example} example
 */
export function startExample(store, { mode, first, second, other, read: word }) {
  const { chosen } = store;
  const names = fieldsOf({ source: chosen.source, mode });
  const texts = [first, second].slice(0, names.length).map((text, at) => [names[at], text]);
  const compared = other
    ? { view: 'compare', beside: 'text', otherText: other }
    : withoutComparison(chosen, mode);
  const part = { mode, ...Object.fromEntries(texts), ...compared, row: null, column: null };
  const isCompared = Boolean(other);
  /** @type {Store} */
  const started = { ...choose(store, part), example: { first, word, isCompared } };
  return started.answer.picture && !started.awaited.picture ? selectExample(started) : started;
}

/**
 * Takes back what an example of two texts has set: view, other text, layer and head.
 * @param {State} chosen
 * @param {Mode} mode
 * @returns {Partial<State>}
 */
function withoutComparison({ view, beside, otherText, part: shown }, mode) {
  // The encoder has no rows of the translation, whose word is selected.
  const isElsewhere = mode === 'cross' && placeOfPart(shown).stack === 'encoder';
  if ((beside !== 'text' || otherText === '') && !isElsewhere) return { otherText: '' };
  const { beside: none, view: first, part, head, average } = initialState;
  return {
    beside: none,
    otherText: '',
    part,
    head,
    average,
    ...(view === 'compare' && { view: first }),
  };
}

/**
 * When the picture of an example is whole, selects its word and what that attends to. In a comparison of two texts the
 * strongest difference is asked for.
 * @param {Store} store
 * @returns {Store}
 */
export function selectExample(store) {
  const { example, answer } = store;
  const { picture, facts } = answer;
  if (!picture || !example || facts.unfinished) return store;
  if (example.first !== facts.requestedTexts[0]) return store;
  const row = picture.rows.findIndex((label) => label.text === example.word);
  const done = { ...store, example: null };
  if (example.isCompared) return askDifference(done);
  return row < 0 ? done : read(done, row);
}
