// The flow at the opening of the page: it stays open for who opened it, and opens for links that need it.

/** @import { Stage } from '../../types' */
/** @import { State } from '../../state/types' */

const key = 'attention: flow'; // key in localStorage, which may be unavailable

/**
 * The box that has the whole matrix of a stage.
 * @type {Partial<Record<Stage, State['box']>>}
 */
export const boxOfStage = {
  raw: 'score',
  scaled: 'scale',
  masked: 'scale',
  difference: 'row',
  moved: 'value',
};

/** The state of an address, with the flow open where it `isOpen`, or where the address needs it. */
export function withFlow(state, isOpen = wasOpen()) {
  const { whole, lens, stage, box } = state;
  // Addresses from before there were boxes.
  const needed = whole || lens ? 'value' : (boxOfStage[stage] ?? '');
  const opened = box || needed;
  return { ...state, box: opened, flow: state.flow || isOpen || opened !== '' };
}

/** True if its reader left it open. */
function wasOpen() {
  try {
    return localStorage.getItem(key) === 'open';
  } catch {
    return false;
  }
}

export function rememberFlow(isOpen) {
  try {
    localStorage.setItem(key, isOpen ? 'open' : '');
  } catch {
    // The flow opens closed the next time.
  }
}
