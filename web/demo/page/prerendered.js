// Prerendered picture: part of the page, and used for the initial state with any selection and view settings.

import ready from 'virtual:ready-picture';
import { unpackPicture } from '../packed_picture.js';
import { drawing, openingState, selecting } from '../state_fields.js';
import { writeAddress } from './address.js';

/** { picture, facts }, or null for another state. */
export function prerendered(state) {
  const now = { ...state };
  for (const name of [...drawing, ...selecting]) now[name] = openingState[name];
  return writeAddress(now) === '' ? unpackPicture(ready) : null;
}
