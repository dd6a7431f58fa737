// Interventions: blocks links, words and heads of a model, and shows what it then writes. Parts: the button below the
// sentence, keys, a menu by long press or right click, next words, Undo beside the text, the strip of the answer, and the
// panel of what each head or word changes (sweep/).

import { tokensOf } from '../../positions.js';
import { initialState } from '../../state_fields.js';
import { isOfModel, isOfTexts } from '../../texts.js';
import { mountComponent } from '../component.jsx';
import { NextWords } from '../next_words/next_words.jsx';
import { actionsFor, linkAction, reachesOf } from './actions.js';
import { measuredOf } from '../sweep/measured.js';
import { BlockButton } from './block_button.jsx';
import { watchGestures } from './gestures.js';
import { comparedOf } from './compared.js';
import { Menu } from './menu.jsx';
import { Strip } from './strip.jsx';
import { UndoBeside } from './undo_beside.jsx';
import './what_if.css';

const find = (selector) => document.querySelector(selector);

/**
 * `now()` returns { state, picture, facts, place, sweep } and the answers { words, otherWords, effect }, as answerOf() does;
 * `change` and `save` as in actions.js; `map.show()` shows the panel of sweep/; `cellAt(event)`: the cell of the matrix at the pointer.
 */
export function createWhatIf({ now, change, save, map, cellAt }) {
  const rooms = {
    menu: find('.what-if-menu'),
    button: find('.block-it'),
    undo: find('.undo-beside'),
    strip: find('.what-if'),
    next: find('.next-words'),
  };
  const menu = mountComponent(Menu, rooms.menu, { close: closeMenu });
  let opened = null; // the open menu: { items, anchor, before: the element focused before }
  const button = mountComponent(BlockButton, rooms.button, { block: setBlock });
  const undoBeside = mountComponent(UndoBeside, rooms.undo, { text: find('#first-words'), undo });
  const strip = mountComponent(Strip, rooms.strip, { setBlock, endComparison, save });
  const next = mountComponent(NextWords, rooms.next, { change });
  let hasMap = false; // it was opened
  let hasWords = false; // next words have come: until then those of index.html are there

  /** Opens the panel of effects, or closes it. */
  function measure(what) {
    if (canBlock()) change({ sweep: now().state.sweep === what ? '' : what });
  }

  function endComparison() {
    const { view, beside, otherText } = initialState;
    change({ view, beside, otherText });
  }

  const canBlock = () => {
    const { picture, facts, state } = now();
    const isInSight = isOfTexts(state.mode) && state.tour === null;
    return Boolean(picture) && isInSight && isOfModel(state) && !facts.isPrerendered;
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

  /** Undoes everything; the focus stays where it is possible. */
  function undo() {
    const hadFocus = rooms.undo.contains(document.activeElement);
    setBlock('');
    if (hadFocus) rooms.button.querySelector('button').focus({ preventScroll: true });
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
    showMenu({ items, anchor, before: document.activeElement });
  }

  function closeMenu({ focus } = { focus: true }) {
    const { before } = opened;
    showMenu(null);
    if (focus) before?.focus({ preventScroll: true });
  }

  function showMenu(next) {
    opened = next;
    rooms.menu.hidden = next === null;
    menu.show({ opened });
  }

  watchGestures({
    ...{ now, canBlock, act, openMenu, cellAt },
    isMenuOpen: () => opened !== null,
    undo,
    findHeads: () => measure('heads'),
  });

  function showNextWords({ state, picture, facts, place, words }) {
    const answer = words?.answer;
    if (!hasWords && !answer) return;
    hasWords = true;
    const isThere = answer && answer.text === facts?.texts[0];
    rooms.next.classList.toggle('empty', !isThere);
    if (!isThere) return;
    const token = picture.rowTokens[place.row][0];
    next.show({ answer, token, begin: state.begin });
  }

  function showStrip(shown) {
    const cases = {
      blocked: blockedOf(shown),
      compared: comparedOf(shown),
      measured: measuredOf(shown),
    };
    rooms.strip.hidden = Object.values(cases).every((one) => one === null);
    strip.show({ ...cases, saving: shown.saving });
  }

  return {
    show() {
      const shown = now();
      const isOn = canBlock();
      // The built-in model has a picture of any text: the button keeps its place until then.
      const hasPlace = shown.state.source === 'model' && !shown.facts?.fixed;
      rooms.button.hidden = !isOn && !hasPlace;
      button.show({ action: isOn ? linkAction(whereNow(placeNow())) : null });
      undoBeside.show({ isShown: isInText(shown) });
      showNextWords(shown);
      showStrip(shown);
      hasMap ||= shown.state.sweep !== '';
      if (hasMap) map.show(shown);
    },
  };
}

/** The text above the map is written while something is blocked: it shows which words changed. */
const isInText = ({ state, facts }) => state.block !== '' && facts?.formerRows !== undefined;

/** What is blocked, and what that changes. */
function blockedOf({ state, picture, facts, place, words, effect }) {
  if (state.block === '' || !isOfModel(state) || !facts?.blocks) return null;
  const next = words?.isDue === false ? words.answer : null;
  return {
    blocks: facts.blocks,
    reaches: picture ? reachesOf({ state, picture, ...place }) : [],
    effect: effect?.isDue === false ? effect.answer : undefined,
    next: next?.words?.some(({ was }) => was !== undefined) ? next : null,
    isInText: isInText({ state, facts }),
  };
}
