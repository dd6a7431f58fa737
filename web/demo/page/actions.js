// Actions of readers in views, as changes of the store.

import {
  askDifference,
  cancelPicture,
  choose,
  point,
  read,
  select,
  spellOut,
  startExample,
  type,
} from '../state/changes.js';
import { closeFile, openFiles } from '../state/files.js';
import { measureHeads } from '../state/head_scores.js';
import {
  cancelModel,
  chooseWeights,
  closeModel,
  dropModel,
  keepModel,
  lookAtPicture,
  openModel,
  removeModel,
} from '../state/own_model.js';
import { endPlaying, pausePlaying, startPlaying, stepPlaying, stepWord } from '../state/playing.js';
import { choosePaper, save } from '../state/saving.js';
import { compareWords, lookAtEffect, measureAgain } from '../state/sweep.js';
import { goInTour, pickInTour } from '../state/tour.js';

export function createActions(store) {
  let frame = 0;
  let pending; // place under the pointer that the store does not have yet; null for none

  /** The pointer was there before what the reader does next, which may end pointing. */
  function settle() {
    cancelAnimationFrame(frame);
    if (pending === undefined) return;
    const place = pending;
    pending = undefined;
    store.update(point, place);
  }

  const act =
    (change) =>
    (...what) => {
      settle();
      store.update(change, ...what);
    };

  return {
    change: act(choose),
    type: act(type),
    select: act(select),
    read: act(read),
    spellOut: act(spellOut),
    startExample: act(startExample),
    askDifference: act(askDifference),
    cancelPicture: act(cancelPicture),
    openFiles: act(openFiles),
    closeFile: act(closeFile),
    openModel: act(openModel),
    dropModel: act(dropModel),
    lookAtPicture: act(lookAtPicture),
    keepModel: act(keepModel),
    closeModel: act(closeModel),
    removeModel: act(removeModel),
    cancelModel: act(cancelModel),
    chooseWeights: act(chooseWeights),
    save: act(save),
    choosePaper: act(choosePaper),
    measureHeads: act(measureHeads),
    measureAgain: act(measureAgain),
    lookAtEffect: act(lookAtEffect),
    compareWords: act(compareWords),
    pickInTour: act(pickInTour),
    goInTour: act(goInTour),
    startPlaying: act(startPlaying),
    stepPlaying: act(stepPlaying),
    stepWord: act(stepWord),
    pausePlaying: act(pausePlaying),
    endPlaying: act(endPlaying),
    /** Changes the store once a frame. */
    hover(place) {
      pending = place && { ...place };
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(settle);
    },
  };
}
