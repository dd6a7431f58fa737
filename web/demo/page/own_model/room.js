// The room of the reader's model, loaded with its first use: by its source, or by dropped files.

import { Stopped } from '../../worker/calls.js';
import { createLater } from '../scheduling.js';

/** `opened()` is called after each answer, `redraw()` after an error; the rest as for createOwnModel(). */
export function createOwnModelRoom(root, { getState, change, read, worker, opened, redraw, wait }) {
  let room = null;
  let orders = 0; // to the worker, so far
  let dropped = null; // latest files of a model
  let latest = {}; // argument of show()
  const later = createLater(async () => {
    const { createOwnModel } = await import('./own_model.js');
    room = createOwnModel(root, {
      ...{ getState, change, read },
      link: {
        open: (file) => order((on) => worker.open({ source: 'own', file }, on)),
        close: () => order(() => worker.close({ source: 'own' })),
        keep: (what) => order((on) => worker.keep({ source: 'own', what }, on)),
        cancel: () => worker.cancel('own'),
      },
    });
    return room;
  }, wait);

  /** Returns the id of the order in its answers. */
  function order(work) {
    const id = ++orders;
    work({ progress: (step) => room.progress({ id, ...step }) }).then(
      (answer) => {
        room.answer({ id, ...answer });
        opened();
      },
      (error) => {
        if (error instanceof Stopped) return;
        room.refuse({ id, message: error.message });
        redraw();
      },
    );
    return id;
  }

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
    stop: () => room?.stop(),
  };
}
