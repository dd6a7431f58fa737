// The room of the reader's model, loaded with its first use: by its source, or by dropped files.

import { createLater } from '../scheduling.js';

/** `link`: of worker_link.js; the rest as for createOwnModel(). */
export function createOwnModelRoom(root, { getState, change, read, link, wait }) {
  let room = null;
  let dropped = null; // latest files of a model
  let latest = {}; // argument of show()
  const later = createLater(async () => {
    const { createOwnModel } = await import('./own_model.js');
    room = createOwnModel(root, {
      ...{ getState, change, read },
      link: {
        open: (from) => link.open('own', from),
        close: () => link.close('own'),
        keep: (what) => link.keep('own', what),
        cancel: () => link.cancel('own'),
      },
    });
    return room;
  }, wait);

  return {
    /** { source, picture, facts, place, palette } */
    show(at) {
      latest = at;
      if (at.source === 'own' || dropped || room) later.show({ ...at, dropped });
    },
    /** Opens dropped files. */
    take(files) {
      dropped = files;
      later.show({ ...latest, source: getState().source, dropped });
    },
    progress: (message) => room.progress(message),
    answer: (message) => room.answer(message),
    refuse: (message) => room.refuse(message),
    stop: () => room?.stop(),
  };
}
