// The room of the reader's model, loaded with its first use: by its source, or by dropped files.

import { mountComponent } from '../component.jsx';
import { OwnModel } from './own_model.jsx';
import './own_model.css';

/** `actions`: those of actions.js that open, keep, close and remove models; read(row). */
export function createOwnModel(root, actions) {
  const room = mountComponent(OwnModel, root, actions);
  return {
    /** { own, isShown, seen, palette }: see OwnModel. */
    show(shown) {
      const { model } = shown.own;
      root.hidden = !shown.isShown;
      root.classList.toggle('has-model', model !== null);
      root.classList.toggle('sees', model?.seesPictures === true);
      room.show(shown);
    },
  };
}
