// Play: the translation is written word by word, each after the words that it looks at were shown. Selection and address
// stay; the row that is written is pointed at.

import { isOfModel } from '../texts.js';
import { pointedIn } from './selection.js';

/** @import { Playing, Store } from './types' */

/**
 * The rows are a text that a model writes while it looks at another one.
 * @param {Pick<Store, 'chosen' | 'answer'>} store
 */
export const canWrite = ({ chosen, answer: { picture } }) =>
  picture !== null && !picture.oneSequence && isOfModel(chosen) && picture.rows.length > 0;

/**
 * Begins with an empty line.
 * @param {Store} store
 * @param {boolean} isRunning
 */
export const startPlaying = (store, isRunning) =>
  canWrite(store) ? playedTo(store, { written: 0, isAiming: false, isRunning }) : store;

/**
 * First what the next word looks at, then the word; after the last one the picture is as it was.
 * @param {Store} store
 * @returns {Store}
 */
export function stepPlaying(store) {
  const { playing } = store;
  const rows = store.answer.picture?.rows.length ?? 0;
  if (!playing) return store;
  const { written, isAiming } = playing;
  if (isAiming) return playedTo(store, { ...playing, written: written + 1, isAiming: false });
  return written < rows ? playedTo(store, { ...playing, isAiming: true }) : endPlaying(store);
}

/**
 * A whole word at once, for readers who want no motion: what it looks at, with the word.
 * @param {Store} store
 */
export const stepWord = (store) =>
  stepPlaying(stepPlaying(store.playing ? store : startPlaying(store, false)));

/**
 * Stops and goes on.
 * @param {Store} store
 * @returns {Store}
 */
export const pausePlaying = (store) =>
  store.playing
    ? { ...store, playing: { ...store.playing, isRunning: !store.playing.isRunning } }
    : store;

/**
 * @param {Store} store
 * @returns {Store}
 */
export const endPlaying = (store) =>
  store.playing ? { ...store, playing: null, hovered: null } : store;

/**
 * @param {Store} store
 * @param {Playing} playing
 * @returns {Store}
 */
function playedTo(store, playing) {
  const { picture } = store.answer;
  const row = playing.isAiming ? playing.written : playing.written - 1;
  const hovered = picture && row >= 0 ? pointedIn(picture, { row }, store.chosen.head) : null;
  return { ...store, playing, hovered };
}
