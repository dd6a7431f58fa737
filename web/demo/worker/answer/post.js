// Last step: sends an answer to the page, and only what the page does not have yet.

import { transfer } from '../calls.js';

/** @import { Facts, Inspection, Picture } from '../../types' */
/** @import { Shown } from '../messages' */
/** @typedef {{ shown(answer: Shown): void }} On */

/** Remembers which picture the page has. */
export function createPosting() {
  let key = ''; // of the picture that the page has

  return {
    /**
     * Answers a request with the picture that the page has; false if it has another.
     * @param {On} on
     * @param {boolean} isWhole
     * @param {string} pictureKey
     */
    same(on, isWhole, pictureKey) {
      if (key !== pictureKey) return false;
      on.shown({ isWhole });
      return true;
    },
    /**
     * Answers a request with a picture, or with none: then every one is new to the page.
     * @param {On} on
     * @param {boolean} isWhole
     * @param {{ picture: Picture | null, facts: Facts, inspection: Inspection | null }} arranged
     * @param {string} pictureKey
     */
    answer(on, isWhole, { picture, facts, inspection }, pictureKey) {
      key = picture ? pictureKey : '';
      on.shown(transfer(/** @type {Shown} */ ({ isWhole, picture, facts, inspection })));
    },
  };
}
