// The room of the reader's model, loaded with its first use: by its source, or by dropped files.

import { OwnModel } from './own_model.jsx';
import './own_model.css';

/** As OwnModel(); `isShown`: the room is seen. */
export function OwnModelRoom({ isShown, own, seen, palette, ...act }) {
  const { model } = own;
  const look = ['own-model', model && 'has-model', model?.seesPictures && 'sees'];
  return (
    <div class={look.filter(Boolean).join(' ')} hidden={!isShown}>
      <OwnModel {...{ own, seen, palette }} {...act} />
    </div>
  );
}
