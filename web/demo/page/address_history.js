// Address and browser history. Back leads through modes, views, steps of the tour and beginnings of a translation.

import { longTextsOf, readAddress, readLongTexts, writeAddress } from './address.js';

const addsHistoryEntry = (name) => ['mode', 'view', 'tour', 'begin'].includes(name);
const pause = 300; // ms; browsers limit how often an address may change

/** `go(state)` is called when the reader navigates or edits the address. */
export function createAddressHistory(go) {
  let keeping = 0; // timer of the pending change of address
  let isGoing = true; // false while navigating back

  /** Texts too long for the address go into history.state, and survive a reload. */
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
    /** Call after a change of state; `changed`: names of its fields. */
    follow(state, changed, before) {
      clearTimeout(keeping);
      if (isGoing && changed.some(addsHistoryEntry)) {
        write(before, 'replaceState');
        write(state, 'pushState');
      } else keeping = setTimeout(() => write(state, 'replaceState'), pause);
    },
  };
}

export function stateOfAddress() {
  return { ...readAddress(location.hash), ...readLongTexts(history.state) };
}
