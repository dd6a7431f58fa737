// The page as the build renders it: as it opens, before anything is known of the window.

import { initialStore } from '../state/store.js';
import { openingState } from '../state_fields.js';

/** @import { Facts, Picture, Source } from '../types' */

/**
 * Arguments of App(). `ready`: the picture of the opening.
 * @param {Source[]} sources
 * @param {{ picture: Picture, facts: Facts } | null} ready
 */
export function openingOf(sources, ready) {
  const store = initialStore(openingState, ready, sources);
  return {
    ...{ now: store, behind: store, device: { palette: null, isPhone: false }, isSilent: false },
    player: { name: 'Play', isRunning: false },
  };
}
