// Interventions: what blocks links, words and heads of a model, and what is said of it. Shown by the button below the sentence,
// a menu by long press or right click, Undo beside the text, and the strip of the answer.

import { tokensOf } from '../../positions.js';
import { initialState } from '../../state_fields.js';
import { placeOf } from '../../state/derived.js';
import { answerOf, isSettled } from '../../state/questions.js';
import { isOld } from '../../state/sweep.js';
import { isOfModel, isOfTexts } from '../../texts.js';
import { linkAction, reachesOf } from './actions.js';

/**
 * { state, picture, facts, place, sweep, saving } of the store, and the answers { words, otherWords, effect }, as answerOf() returns
 * them. A rollout has no links of its own to block.
 */
export function whereOf(store) {
  const { chosen: state, answer, sweep } = store;
  const picture = answer.facts?.fixed ? null : answer.picture;
  const place = picture ? placeOf(store) : {};
  return {
    ...{ state, ...answer, picture, place, sweep, saving: store.saving },
    isOld: sweep !== null && isOld(store),
    isReady: isSettled(store),
    words: answerOf(store, 'nextWords'),
    otherWords: answerOf(store, 'otherWords'),
    effect: answerOf(store, 'effect'),
  };
}

/** True if something can be blocked; `where`: result of whereOf(). */
export const canBlockIn = ({ picture, facts, state }) => {
  const isInSight = isOfTexts(state.mode) && state.tour === null;
  return Boolean(picture) && isInSight && isOfModel(state) && !facts.isPrerendered;
};

/** The text above the map is written while something is blocked: it shows which words changed. */
export const isInText = ({ state, facts }) => state.block !== '' && facts?.formerRows !== undefined;

/** Blocked links, and what that changes; null for nothing. */
export function blockedOf({ state, picture, facts, place, words, effect }) {
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

/** Blocking and undoing by the reader. `get()`: the store; `change` and `select` as in actions.js. */
export function createBlocking({ get, change, select }) {
  const now = () => whereOf(get());
  const canBlock = () => canBlockIn(now());

  /** The selection stays where it is, even if other words are written there. */
  function setBlock(block) {
    const { picture, place } = now();
    change({ block, ...(picture && tokensOf(picture, place)) });
  }

  return {
    ...{ now, canBlock, setBlock },
    undo: () => setBlock(''),

    /** `place`: that of a head or link; by default the selected one. */
    block(actionOf, place) {
      if (!canBlock()) return;
      const where = now();
      const { row, column, head } = where.place;
      const action = actionOf({ ...where, ...(place ?? { row, column, head }) });
      if (action) setBlock(action.block);
    },

    /** Blocks the link of a ray, or allows it again; where no model can do without it, it is selected. */
    pressRay(place) {
      const where = now();
      const { state, picture, facts } = where;
      const canPress = picture && isOfModel(state) && !facts.isPrerendered;
      const action = canPress && linkAction({ ...where, ...where.place, ...place });
      if (action) change({ block: action.block, ...tokensOf(picture, place) });
      else select(place);
    },

    /** Opens the panel of effects, or closes it. */
    measure(what) {
      if (canBlock()) change({ sweep: now().state.sweep === what ? '' : what });
    },

    endComparison() {
      const { view, beside, otherText } = initialState;
      change({ view, beside, otherText });
    },
  };
}
