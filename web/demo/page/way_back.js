// The address says what is shown, and the browser's way back leads through modes, views, steps of the tour and
// beginnings of a translation.

import { longTextsOf, readAddress, readLongTexts, writeAddress } from './address.js';

const isWay = (name) => ['mode', 'view', 'tour', 'begin'].includes(name);
const pause = 300; // ms: browsers allow an address to be changed only so often

/** `go(state)` is told of the state to go to, when somebody goes back or forth or changes the address. */
export function createWayBack(go) {
  let keeping = 0; // until the address is changed
  let isGoing = true; // forwards; not back to where one was

  /** What is too long for the address goes beside it, and survives a reload. */
  function write(state, how) {
    clearTimeout(keeping);
    const address = writeAddress(state) || location.pathname + location.search;
    history[how]({ longTexts: longTextsOf(state) }, '', address);
  }

  for (const event of ['hashchange', 'popstate']) {
    addEventListener(event, () => {
      clearTimeout(keeping);
      isGoing = false;
      go(stateOfAddress());
      isGoing = true;
    });
  }

  return {
    /** The state is another one: these names of it have changed. */
    follow(state, changed, before) {
      clearTimeout(keeping);
      if (isGoing && changed.some(isWay)) {
        write(before, 'replaceState');
        write(state, 'pushState');
      } else keeping = setTimeout(() => write(state, 'replaceState'), pause);
    },
  };
}

export function stateOfAddress() {
  return { ...readAddress(location.hash), ...readLongTexts(history.state) };
}
