// Mounts every view of the page. What the first picture does not need is loaded after it. A view gets what it shows as
// arguments of show(), and calls `act` for what its reader does.

import { tokensOf } from '../positions.js';
import { isOfModel, isOfTexts } from '../texts.js';
import { placeInPicture, placeOf } from '../state/derived.js';
import { answerOf, isSettled } from '../state/questions.js';
import { isOld } from '../state/sweep.js';
import { mountComponent } from './component.jsx';
import { AskedFor } from './asked_for/asked_for.jsx';
import { ExportPanel } from './exports/export_panel.jsx';
import { createInputs } from './inputs.js';
import { watchArrows } from './keys.js';
import { createLessonStart } from './lesson/start.js';
import { createMapChoices } from './map_choices.js';
import { createDrawer } from './more/drawer.js';
import { createSettings } from './more/settings.js';
import { watchDrops } from './own_files/dropped_on_page.js';
import { OwnFiles } from './own_files/own_files.jsx';
import { Note } from './note.jsx';
import { createPlayer } from './player.js';
import { createLater } from './scheduling.js';
import { DrawnStage } from './sentence/drawn_stage.jsx';
import { createSentenceLine } from './sentence/sentence.js';
import { createText } from './texts/texts.js';
import { createViews } from './view_switch.js';
import { linkAction } from './what_if/actions.js';

const find = (selector) => document.querySelector(selector);

/**
 * `act`: result of createActions(); `wait(promise)` is called while a view loads; `restart()` replaces the worker,
 * `keepWaiting()` waits for it longer.
 */
export function mountViews({ store, act, ...page }) {
  const { wait, restart, keepWaiting } = page;
  const { change, read: readRow } = act;
  const later = (load) => createLater(load, wait);
  const settings = createSettings(find('#settings-panel'), find('.in-force'), { change, wait });
  const exportPanel = mountComponent(ExportPanel, find('.export-panel'), {
    ...{ save: act.save, choosePaper: act.choosePaper },
  });
  exportPanel.show({ saving: store.get().saving });
  find('[data-export="print"]').addEventListener('click', () => act.save('print'));
  createDrawer(find('#more'), find('#more-panel'), {
    opened: (name) => name === 'settings' && settings.unfold(),
  });
  const choices = createMapChoices(find('#choices'), find('#map-choices'), find('#play'));
  const inputs = createInputs({
    ...{ sources: store.get().sources, change, type: act.type, choices },
    startExample(example) {
      player.stop();
      act.startExample(example);
    },
  });
  const ownModel = later(async () => {
    const { createOwnModel } = await import('./own_model/room.js');
    return createOwnModel(find('.own-model'), act);
  });
  const ownFiles = mountComponent(OwnFiles, find('.files'), {
    ...{ openFiles: act.openFiles, closeFile: act.closeFile, save: act.save },
  });
  watchDrops(find('.texts'), {
    isModelShown: () => store.get().chosen.source === 'own',
    ...{ openFiles: act.openFiles, dropModel: act.dropModel },
  });
  const text = createText(find('.sentences'), {
    hover: act.hover,
    select: act.select,
    press: pressRay,
  });
  const views = createViews(find('.stage'), {
    ...{ select: act.select, hover: act.hover, change, type: act.type, wait },
    askDifference: act.askDifference,
    measureHeads: act.measureHeads,
  });
  const askedFor = mountComponent(AskedFor, find('.asked-for'), {
    ...{ openModel: act.openModel, openFiles: act.openFiles },
  });
  const sentence = createSentenceLine(find('.looking'));
  const note = mountComponent(Note, find('.note'));
  const drawnStage = mountComponent(DrawnStage, find('.drawn-stage'), { change });
  find('#how').addEventListener('click', () => {
    change({ flow: !store.get().chosen.flow });
  });
  const flow = later(async () => {
    const { createFlow } = await import('./flow/room.js');
    return createFlow(find('#flow'), {
      ...{ change, select: act.select, spellOut: act.spellOut, save: act.save },
    });
  });
  const learn = later(async () => {
    const { createLearn } = await import('./learn/learn_room.js');
    return createLearn(find('.learn-room'), {
      change,
      open(files, now) {
        change({ ...now, source: 'own', part: '', head: 0, row: null, column: null, french: '' });
        act.dropModel({ entries: [], files });
      },
    });
  });
  const map = later(async () => {
    const { createSweep } = await import('./sweep/room.jsx');
    const { lookAtEffect, measureAgain, save } = act;
    return createSweep(find('.sweep-room'), { change, lookAtEffect, measureAgain, save });
  });
  const whatIf = later(async () => {
    const { createWhatIf } = await import('./what_if/what_if.js');
    const { cellAt } = views.get('matrix');
    return createWhatIf({
      ...{ now: () => forWhatIf(store.get()), change, save: act.save, map, cellAt },
    });
  });
  const player = createPlayer(find('#play'), {
    ...{ now: store.get, read: () => stepBy(1) },
    ...{ start: act.startPlaying, step: act.stepPlaying, stepWord: act.stepWord },
    ...{ pause: act.pausePlaying, end: act.endPlaying },
  });
  const present = createLessonStart(find('#present'), { wait });
  watchArrows(stepBy);
  find('#tour-start').addEventListener('click', () => change({ tour: 0 }));
  // The texts stay; the link's address alone would open those of the page.
  find('.idea a').addEventListener('click', (event) => {
    event.preventDefault();
    change({ tour: 0 });
  });
  const tour = later(async () => {
    const { createTour } = await import('./tour/tour_room.js');
    const { pickInTour, goInTour } = act;
    return createTour(find('.tour'), find('#tour-start'), {
      ...{ change, pickInTour, goInTour, present },
      /** Ends the tour in a mode with texts. */
      tryText() {
        const { mode } = store.get().chosen;
        change({ tour: null, mode: isOfTexts(mode) ? mode : 'cross' });
      },
    });
  });
  const unresponsive = later(async () => {
    const { createUnresponsive } = await import('./unresponsive/room.jsx');
    return createUnresponsive(find('.unresponsive'), { stop: restart, wait: keepWaiting });
  });

  /** Blocks the link of a ray, or allows it again; where no model can do without it, it is selected. */
  function pressRay(place) {
    const now = forWhatIf(store.get());
    const { state, picture, facts } = now;
    const canBlock = picture && isOfModel(state) && !facts.isPrerendered;
    const action = canBlock && linkAction({ ...now, ...now.place, ...place });
    if (action) change({ block: action.block, ...tokensOf(picture, place) });
    else act.select(place);
  }

  /** Selects a word before or after the selected one; false where there is none. */
  function stepBy(count) {
    const now = store.get();
    const { picture } = now.answer;
    if (!picture || now.chosen.tour !== null || !isOfTexts(now.chosen.mode)) return false;
    const { length } = picture.rows;
    readRow((placeInPicture(picture, now.chosen).row + count + length) % length);
    return true;
  }

  return {
    ...{
      text,
      views,
      sentence,
      note,
      drawnStage,
      inputs,
      settings,
      ownFiles,
      ownModel,
      flow,
      askedFor,
    },
    ...{ learn, whatIf, tour, unresponsive, exportPanel, player },
  };
}

/** A rollout has no links of its own to block. */
function forWhatIf(now) {
  const { chosen: state, answer, sweep } = now;
  const picture = answer.facts?.fixed ? null : answer.picture;
  const place = picture ? placeOf(now) : {};
  return {
    ...{ state, ...answer, picture, place, sweep, saving: now.saving },
    isOld: sweep !== null && isOld(now),
    isReady: isSettled(now),
    words: answerOf(now, 'nextWords'),
    otherWords: answerOf(now, 'otherWords'),
    effect: answerOf(now, 'effect'),
  };
}
