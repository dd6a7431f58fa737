// The screen: shows the store. A key press updates texts and picture at once, everything else after the next paint.

import { openingState } from '../state_fields.js';
import { placeOf } from '../state/derived.js';
import { scoresOf } from '../state/head_scores.js';
import { answerOf, isWaiting } from '../state/questions.js';
import { settingsOf } from '../state/settings.js';
import { createActions } from './actions.js';
import { App } from './app.jsx';
import { hydrate, render } from './component.jsx';
import { saveShown } from './exports/save.js';
import { rememberFlow } from './flow/opening.js';
import { watchArrows } from './keys.js';
import { createLessonStart } from './lesson/start.js';
import { openingOf } from './opening.js';
import { createPageActions } from './page_actions.js';
import { readPalette, watchColors } from './palette.js';
import { createPlayer } from './player.js';
import { prerendered } from './prerendered.js';
import { createAfterPaint, createPending } from './scheduling.js';
import { createBlocking } from './what_if/blocking.js';

/** @import { Save } from './asking.js' */

const phone = matchMedia('(max-width: 40rem)');

/** `restart()` replaces the worker; `keepWaiting()` waits for it longer. */
export function createScreen({ store, worker, keepWaiting, restart }) {
  const drawings = { views: null, texts: null };
  let device = { palette: readPalette(), isPhone: phone.matches };
  let isSilent = false;
  let behind = store.get();
  const redraw = () => show(store.get());
  const pending = createPending(redraw);
  const { wait } = pending;
  const readerActions = createActions(store);
  const pageActions = createPageActions(store.get, readerActions);
  const blocking = createBlocking({ get: store.get, ...readerActions });
  const player = createPlayer({
    ...{ now: store.get, read: () => pageActions.stepBy(1), changed: draw },
    ...{ start: readerActions.startPlaying, step: readerActions.stepPlaying },
    ...{ stepWord: readerActions.stepWord, pause: readerActions.pausePlaying },
    end: readerActions.endPlaying,
  });
  const act = {
    ...{ ...readerActions, ...pageActions, blocking, wait, restart, keepWaiting },
    ...{ setBlock: blocking.setBlock, undo: blocking.undo, pressRay: blocking.pressRay },
    ...{ endComparison: blocking.endComparison, play: player.press },
    present: createLessonStart({ wait }),
    startExample(example) {
      player.stop();
      readerActions.startExample(example);
    },
  };
  watchArrows(pageActions.stepBy);

  function draw() {
    const now = store.get();
    const shown = { now, behind, device, isSilent, player: player.look(now) };
    render(<App {...{ ...shown, act, drawings }} />, document.body);
  }

  const afterPaint = createAfterPaint(() => {
    behind = store.get();
    draw();
    showWaiting(behind);
  });
  const showWaiting = (now) => pending.show(isWaiting(now) || afterPaint.isDue());

  function show(now, before) {
    const { chosen } = now;
    player.follow(now);
    if (before && chosen.flow !== before.chosen.flow) rememberFlow(chosen.flow);
    showMode(chosen);
    draw();
    const isAll = (...names) =>
      Object.keys(now).every((one) => names.includes(one) || now[one] === before[one]);
    if (before && (isAll('tour') || isAll('hovered', 'playing'))) return;
    afterPaint.ask();
    showWaiting(now);
  }

  watchColors(() => {
    device = { ...device, palette: readPalette() };
    redraw();
    return afterPaint.now;
  });
  phone.addEventListener('change', () => {
    device = { ...device, isPhone: phone.matches };
    draw();
  });

  const opening = openingOf(store.get().sources, prerendered(openingState));
  hydrate(<App {...{ ...opening, act, drawings }} />, document.body);

  return {
    show,
    wait,
    /** @type {Save} */
    save(order, tell) {
      const now = store.get();
      const { chosen: state, answer } = now;
      const settings = settingsOf(state, answer.picture, device.palette);
      const tables = {
        ...{ sweep: now.sweep, scores: scoresOf(now), block: answerOf(now, 'block') },
        ...{ effect: answerOf(now, 'effect'), words: answerOf(now, 'nextWords') },
      };
      const shown = { state, ...answer, selection: placeOf(now), settings, ...tables };
      const tensors = () => worker.tensors();
      return saveShown({ ...shown, ...drawings, tensors }, order, tell);
    },
    showUnresponsive(isNow) {
      isSilent = isNow;
      draw();
    },
  };
}

/** CSS shows the elements of one mode and source. An equal value is not written: that would restyle the page. */
function showMode({ mode, source }) {
  const { dataset } = document.body;
  for (const [name, value] of Object.entries({ mode, source })) {
    if (dataset[name] !== value) dataset[name] = value;
  }
}
