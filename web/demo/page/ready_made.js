// The picture that comes with the page, for a state that it is of: the one that the page opens with, whatever is selected in it and
// however it is drawn.

import ready from 'virtual:ready-picture';
import { unpackPicture } from '../ready_picture.js';
import { drawing, openingState, selecting } from '../state_fields.js';
import { writeAddress } from './address.js';

/** { picture, facts } or null. */
export function readyMade(state) {
  const now = { ...state };
  for (const name of [...drawing, ...selecting]) now[name] = openingState[name];
  return writeAddress(now) === '' ? unpackPicture(ready) : null;
}
