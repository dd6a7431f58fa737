// Last step: sends an answer to the page, and only what the page does not have yet.

/** @import { Facts, Inspection, Picture } from '../../types' */
/** @typedef {(message: object, transfer?: Transferable[]) => void} Post */

/**
 * Array buffers in a message, to be transferred instead of copied.
 * @param {unknown} value
 * @param {Set<Transferable>} [found]
 * @returns {Transferable[]}
 */
export function buffersIn(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(/** @type {ArrayBuffer} */ (value.buffer));
  else if (value !== null && typeof value === 'object') {
    for (const one of Object.values(value)) buffersIn(one, found);
  }
  return [...found];
}

/**
 * Remembers which picture the page has.
 * @param {Post} post
 */
export function createPosting(post) {
  let key = ''; // of the picture that the page has

  /** @param {object} message */
  function send(message) {
    post(message, buffersIn(message));
  }

  return {
    /**
     * Answers a request with the picture that the page has; false if it has another.
     * @param {{ id: number, isWhole: boolean }} answer
     * @param {string} pictureKey
     */
    same({ id, isWhole }, pictureKey) {
      if (key !== pictureKey) return false;
      send({ type: 'shown', id, isWhole });
      return true;
    },
    /**
     * Answers a request with a picture, or with none: then every one is new to the page.
     * @param {{ id: number, isWhole: boolean }} answer
     * @param {{ picture: Picture | null, facts: Facts, inspection: Inspection | null }} arranged
     * @param {string} pictureKey
     */
    answer({ id, isWhole }, { picture, facts, inspection }, pictureKey) {
      key = picture ? pictureKey : '';
      send({ type: 'shown', id, isWhole, picture, facts, inspection });
    },
  };
}
