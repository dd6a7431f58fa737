// Last step: sends an answer to the page, and only what the page does not have yet.

/** Array buffers in a message, to be transferred instead of copied. */
export function buffersIn(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (value !== null && typeof value === 'object') {
    for (const one of Object.values(value)) buffersIn(one, found);
  }
  return [...found];
}

/** Remembers which picture the page has. */
export function createPosting(post) {
  let key = ''; // of the picture that the page has

  function send(message) {
    post(message, buffersIn(message));
  }

  return {
    /** Answers a request with the picture that the page has; false if it has another. */
    same({ id, isWhole }, pictureKey) {
      if (key !== pictureKey) return false;
      send({ type: 'shown', id, isWhole });
      return true;
    },
    /** Answers a request with a picture, or with none: then every one is new to the page. */
    answer({ id, isWhole }, { picture, facts, inspection }, pictureKey) {
      key = picture ? pictureKey : '';
      send({ type: 'shown', id, isWhole, picture, facts, inspection });
    },
  };
}
