// The screen: shows the store in every view. A key press updates text and picture at once, everything else after the
// next paint.

import { placeIn } from '../positions.js';
import { openingState } from '../state_fields.js';
import { fieldsOf, isOfModel, isOfTexts } from '../texts.js';
import { viewNamed } from '../view_list.js';
import {
  awaitedModel,
  inspectedPlace,
  isAwaiting,
  placeInPicture,
  placeOf,
  shownMode,
  sourceOf,
} from '../state/derived.js';
import { scoresOf } from '../state/head_scores.js';
import { askedFor as askedForIn, hasModelRoom } from '../state/own_model.js';
import { answerOf, isWaiting } from '../state/questions.js';
import { isInPercent, settingsOf } from '../state/settings.js';
import { createActions } from './actions.js';
import { mountViews } from './mount.js';
import { announce, noteOf, showCut, showMessage, showProgress, whyEmpty } from './notices.js';
import { saveShown } from './exports/save.js';
import { readPalette, watchColors } from './palette.js';
import { cellOf } from './cell.js';
import { rememberFlow } from './flow/opening.js';
import { createAfterPaint, createPending } from './scheduling.js';
import { sentenceParts, sentenceText } from './sentence/sentence_text.js';

/** @import { ShownAnswer, Store } from '../state/types' */
/** @import { Save } from './asking.js' */

const find = (selector) => document.querySelector(selector);

/** `restart()` replaces the worker; `keepWaiting()` waits for it longer. */
export function createScreen({ store, worker, keepWaiting, restart }) {
  let palette = readPalette();
  const settingsNow = ({ chosen, answer }) => settingsOf(chosen, answer.picture, palette);
  const redraw = () => show(store.get());
  const pending = createPending(redraw);
  const { wait } = pending;
  const act = createActions(store);
  const mounted = mountViews({
    ...{ store, act, wait },
    ...{ restart, keepWaiting },
  });
  const { text, views, sentence, note, drawnStage, inputs, settings, ownFiles, ownModel } = mounted;
  const { askedFor, flow, learn, whatIf, tour, unresponsive, exportPanel, player } = mounted;
  let hasTour = false; // it was opened
  let hasRoom = false; // that of the reader's model
  let hasModel = false; // a model was chosen: what it can block is hidden for other sources

  function show(now, before) {
    const { chosen, answer, problem } = now;
    const isAll = (...names) =>
      Object.keys(now).every((one) => names.includes(one) || now[one] === before[one]);
    player.show(now);
    if (before && isAll('tour')) {
      showTour(now);
      return;
    }
    if (before && isAll('hovered', 'playing')) {
      if (isOfTexts(chosen.mode)) showPicture(now);
      return;
    }
    if (before && chosen.flow !== before.chosen.flow) rememberFlow(chosen.flow);
    showMode(chosen);
    inputs.show(chosen, sourceOf(now), shownMode(now));
    // What is loaded is needed for any picture.
    const canCancel = now.awaited.picture && !now.loading;
    showProgress(isAwaiting(now) && now.loading, canCancel ? act.cancelPicture : null);
    if (chosen.mode === 'learn') learn.show(chosen);
    else showPicture(now);
    const isEmpty = isOfTexts(chosen.mode) && !answer.picture && answer.facts;
    const why = isEmpty
      ? whyEmpty({ mode: chosen.mode, writes: chosen.source === 'model' }, answer.facts)
      : '';
    showMessage(problem || why, { problem: problem !== '' });
    askedFor.show({ asked: isEmpty && askedForIn(now), kept: now.ownModel.kept });
    hasTour ||= chosen.tour !== null;
    if (hasTour) showTour(now);
    afterPaint.ask();
    showWaiting(now);
  }

  function showTour({ chosen: { lookup }, tour: shown }) {
    tour.show({ tour: shown, lookup, palette });
  }

  function showPicture(now) {
    const { chosen, answer } = now;
    const { picture, facts } = answer;
    const at = placeOf(now);
    const drawn = settingsNow(now);
    views.show(picture, at, drawn, { state: chosen, facts, scores: scoresOf(now) });
    text.show(picture, at, {
      ...{ ...drawn, grid: facts?.grid, formerRows: facts?.formerRows, read: facts?.read },
      ...{ texts: facts?.texts, requested: facts?.requestedTexts },
      playing: now.playing,
    });
    text.write(
      fieldsOf(chosen).map((name) => chosen[name]),
      { isTyped: now.isTyped },
    );
    showCut({ says: facts?.cut ?? '', read: facts?.read, change: act.change });
    inputs.alignSheets(now.awaited.picture);
    // The next word is that of the selected row.
    const isElsewhere = (at?.hovered?.row ?? at?.row) !== at?.row;
    find('.next-words').classList.toggle('of-another-row', isElsewhere);
    const awaited = awaitedModel(now);
    find('#picture').classList.toggle('of-another-text', awaited !== null);
    if (awaited) sentence.say(`${awaited.text}.`);
    // The pair in which two texts differ most is about to be selected.
    else if (now.answers.difference?.isDue) sentence.show(null);
    else sentence.show(answer.picture && sentenceOf(now, answer));
  }

  const afterPaint = createAfterPaint(() => {
    const now = store.get();
    const { chosen, answer } = now;
    const { picture, facts } = answer;
    const source = sourceOf(now);
    inputs.showAround(chosen, source, facts, picture);
    ownFiles.show({ files: now.files, saving: now.saving });
    exportPanel.show({ saving: now.saving });
    showOwnModel(now);
    settings.show({ state: chosen, facts, picture, source });
    if (isOfTexts(chosen.mode)) showBehind(now);
    showWaiting(now);
  });

  /** Updates what is outside the picture. */
  function showBehind(now) {
    const { chosen, answer } = now;
    const { picture, facts } = answer;
    const canDraw = picture && viewNamed(chosen.view).shows === 'head';
    drawnStage.show({ stage: canDraw ? settingsNow(now).stage : 'weights' });
    showWhatIf(now);
    showFlow(now);
    const isSaid = awaitedModel(now) !== null;
    note.show(noteOf(facts, chosen, picture, { loading: now.loading, isSaid }));
    if (isSaid) announce('Loading the model.');
    else if (now.answers.difference?.isDue) return;
    else if (!answer.picture) announce('');
    else {
      const place = placeInPicture(answer.picture, chosen);
      announce(sentenceText(sentenceParts({ ...sentenceOf(now, answer), place })));
    }
  }

  /**
   * Arguments of sentenceParts() for the cell under the pointer, else the selected one.
   * @param {Store} now
   * @param {ShownAnswer} answer
   */
  function sentenceOf({ chosen, hovered }, { picture, facts }) {
    const at = placeInPicture(picture, chosen, hovered);
    const isPercent = isInPercent(chosen, picture);
    return {
      ...{ picture, facts, isPercent },
      ...{ place: { ...at, ...at.hovered }, source: chosen.source },
    };
  }

  /** The way of the selected pair's number, while it is open. */
  function showFlow(now) {
    const { chosen, answer } = now;
    const { picture, facts, inspection } = answer;
    const room = find('#flow');
    room.hidden = !chosen.flow;
    // It keeps its place while there is no number.
    room.classList.toggle('empty', !picture);
    find('#how').setAttribute('aria-expanded', String(chosen.flow));
    if (!chosen.flow || !picture) return;
    const { stage, palette: colors } = settingsNow(now);
    const place = inspectedPlace({ ...now, answer });
    flow.show({
      ...{ chosen, facts, picture, place, inspection, palette: colors },
      cell: cellOf(picture, place, chosen.stage),
      map: { stage, stages: stagesFor(now) },
      isPercent: isInPercent(chosen, picture),
      saving: now.saving,
      block: answerOf(now, 'block'),
      words: answerOf(now, 'nextWords')?.answer ?? null,
      canSweep: isOfModel(chosen) && !facts.isPrerendered,
      // The hint below the picture is not repeated.
      note: chosen.source === 'ngrams' ? facts.note : '',
    });
  }

  /** The room of the reader's model, once it was needed. */
  function showOwnModel(now) {
    hasRoom ||= hasModelRoom(now);
    if (!hasRoom) return;
    const { chosen, answer, ownModel: own } = now;
    const { picture, facts } = answer;
    const isSeen = chosen.source === 'own' && own.bitmap && facts?.from === own.model.id;
    ownModel.show({
      ...{ own, isShown: hasModelRoom(now) },
      seen:
        isSeen && picture && facts.grid ? { picture, grid: facts.grid, place: placeOf(now) } : null,
      palette,
    });
  }

  /** Next words and what can be blocked, where a model is shown. */
  function showWhatIf(now) {
    const { chosen, answer } = now;
    const { picture, facts } = answer;
    const isOurs = chosen.source === 'model' && chosen.mode === 'cross';
    find('.next-words').hidden = !isOurs && !(chosen.source === 'own' && facts?.hasNext);
    if (picture && facts.isPrerendered) {
      // index.html has the words of the row that the page opens with.
      const isOpening =
        placeInPicture(picture, chosen).row === placeIn(picture, openingState).row &&
        !awaitedModel(now);
      find('.next-words').classList.toggle('empty', !isOpening);
      return;
    }
    hasModel ||= isOfModel(chosen);
    if (hasModel) whatIf.show(now);
  }

  const showWaiting = (now) => pending.show(isWaiting(now) || afterPaint.isDue());

  watchColors(() => {
    palette = readPalette();
    redraw();
    return afterPaint.now;
  });

  return {
    show,
    wait,
    /** @type {Save} */
    save(order, tell) {
      const now = store.get();
      const { chosen: state, answer } = now;
      const place = { selection: placeOf(now), settings: settingsNow(now) };
      const tensors = () => worker.tensors();
      const tables = {
        ...{ sweep: now.sweep, scores: scoresOf(now), block: answerOf(now, 'block') },
        ...{ effect: answerOf(now, 'effect'), words: answerOf(now, 'nextWords') },
      };
      const shown = { state, ...answer, ...place, ...tables };
      return saveShown({ ...shown, views, texts: text, tensors }, order, tell);
    },
    showUnresponsive: (isSilent) => unresponsive.show(isSilent),
  };
}

/** Stages that the map can draw in this view, in the order of the computation. */
function stagesFor({ chosen, answer: { picture, facts } }) {
  if (viewNamed(chosen.view).shows !== 'head' || facts.fixed) return [];
  const { stages } = picture;
  const isThere = (stage) => (stage === 'moved' ? facts.canMove : stages[stage] !== undefined);
  return ['raw', 'scaled', 'masked', 'weights', 'moved', 'difference'].filter(isThere);
}

/** CSS shows the elements of one mode and source. An equal value is not written: that would restyle the page. */
function showMode({ mode, source }) {
  const { dataset } = document.body;
  for (const [name, value] of Object.entries({ mode, source })) {
    if (dataset[name] !== value) dataset[name] = value;
  }
}
