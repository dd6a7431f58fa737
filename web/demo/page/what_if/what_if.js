// Interventions: blocks links, words and heads of a model, and shows what it then writes. Parts: the button below the
// sentence with its menu (also by long press or right click), keys, next words, the strip of the answer, and the panel of
// what each head or word changes (sweep/).

import { tokensOf } from '../../positions.js';
import { mountComponent } from '../component.js';
import { NextWords } from '../next_words/next_words.js';
import '../next_words/next_words.css';
import { actionsFor, linkAction } from './actions.js';
import { effectOf, nextWordsOf } from './asked.js';
import { BlockButtons } from './block_buttons.js';
import { watchGestures } from './gestures.js';
import { createMenu } from './menu.js';
import { Strip } from './strip.js';
import './what_if.css';

const find = (selector) => document.querySelector(selector);

/**
 * `now()` returns { state, picture, facts, place }; `change` as in actions.js; `questions`: result of createQuestions();
 * `link`: result of connectWorker(); `map.show()` shows the panel of sweep/.
 */
export function createWhatIf({ now, change, questions, link, map }) {
  const menu = createMenu();
  const rooms = {
    buttons: find('.block-it'),
    whatElse: find('#what-else'),
    strip: find('.what-if'),
    next: find('.next-words'),
  };
  const buttons = mountComponent(BlockButtons, rooms.buttons, {
    block: setBlock,
    openMenu: (anchor) => openMenu(placeNow(), anchor),
  });
  // On a phone the menu opens from the choices of the map, at their button.
  const choices = find('#choices');
  rooms.whatElse.addEventListener('click', () => {
    choices.click();
    choices.focus();
    const { left: x, top: above, bottom: y } = choices.getBoundingClientRect();
    openMenu(placeNow(), { x, y, above });
  });
  const strip = mountComponent(Strip, rooms.strip, { setBlock });
  const next = mountComponent(NextWords, rooms.next, { change });
  let hasMap = false; // it was opened
  let shownSweep = ''; // the field `sweep` last shown
  let isAsked = false; // the reader opened it, so that it takes the focus

  /** Opens the panel of effects, or closes it. */
  function measure(what) {
    if (!canBlock()) return;
    isAsked = true;
    change({ sweep: now().state.sweep === what ? '' : what });
  }

  function takeFocus() {
    const was = isAsked;
    isAsked = false;
    return was;
  }

  const canBlock = () => {
    const { picture, facts, state } = now();
    return Boolean(picture) && isModel(state) && !facts.isPrerendered;
  };
  const placeNow = () => {
    const { row, column, head } = now().place;
    return { row, column, head };
  };
  const whereNow = (place) => ({ ...now(), ...place });

  /** The selection stays where it is, even if other words are written there. */
  function setBlock(block) {
    const { picture, place } = now();
    change({ block, ...(picture && tokensOf(picture, place)) });
  }

  function act(actionOf, place) {
    if (!canBlock()) return;
    const action = actionOf(whereNow(place ?? placeNow()));
    if (action) setBlock(action.block);
  }

  function openMenu(place, anchor) {
    if (!canBlock()) return;
    const items = actionsFor(whereNow(place)).map(({ says, hint, key, block }) => ({
      ...{ says, hint, key },
      act: () => setBlock(block),
    }));
    const unit = now().facts.grid ? 'patch' : 'word';
    items.push(
      { says: 'Which head matters here?', hint: '', key: 'W', act: () => measure('heads') },
      { says: `Which ${unit} matters here?`, hint: '', key: '', act: () => measure('words') },
    );
    menu.open(items, anchor);
  }

  watchGestures({
    ...{ now, canBlock, act, openMenu, menu },
    undo: () => setBlock(''),
    findHeads: () => measure('heads'),
  });

  function showNextWords(shown, question) {
    const { state, picture, facts, place } = shown;
    const isThere = question?.answer && question.answer.text === facts?.texts[0];
    rooms.next.classList.toggle('empty', !isThere);
    if (!isThere) return;
    const token = picture.rowTokens[place.row][0];
    next.show({ answer: question.answer, token, begin: state.begin });
  }

  /** What is blocked, and what that changes. */
  function showStrip({ state, facts }, question, words) {
    const isOn = state.block !== '' && isModel(state) && Boolean(facts?.blocks);
    rooms.strip.hidden = !isOn;
    if (!isOn) return;
    const effect = question && !question.isDue ? question.answer : undefined;
    const isOfRow =
      words && !words.isDue && words.answer.words.some(({ was }) => was !== undefined);
    strip.show({ blocks: facts.blocks, effect, next: isOfRow ? words.answer : null });
  }

  return {
    /** `isReady`: no picture is being computed. */
    show({ isReady }) {
      const shown = { ...now(), isReady };
      const isOn = canBlock();
      rooms.buttons.hidden = !isOn;
      rooms.whatElse.hidden = !isOn;
      if (isOn) buttons.show({ action: linkAction(whereNow(placeNow())) });
      const words = nextWordsOf(shown, questions, link.nextWords);
      showNextWords(shown, words);
      showStrip(shown, effectOf(shown, questions, link.effect), words);
      const { sweep } = shown.state;
      hasMap ||= sweep !== '';
      if (hasMap) map.show({ ...shown, isAsked: takeFocus });
      // The focus was in the panel, or is already lost with it.
      const isLost = document.activeElement?.matches('body, .sweep *, .sweep');
      if (shownSweep !== '' && sweep === '' && isLost) {
        const opener = rooms.buttons.querySelector('.more');
        (opener?.checkVisibility() ? opener : choices).focus({ preventScroll: true });
      }
      shownSweep = sweep;
    },
  };
}

const isModel = ({ source }) => source === 'model' || source === 'own';
