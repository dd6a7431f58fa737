// The frame of the picture: a room for each view, the message in place of a picture, and progress. The views are drawn by hand,
// also which of their rooms is seen.

import { views } from '../view_list.js';
import { useDrawing } from './component.jsx';
import { Message, Progress } from './message.jsx';
import { createViews } from './view_switch.js';

/**
 * `shown`: arguments of the views, or null where no texts are shown; `handlers`: those of createViews(); `says` and
 * `isProblem`: see Message(); `progress`, `cancel`, `isSaid`: see Progress(); `children`: what stands below the message.
 * `drawings.views` becomes the drawing.
 */
export function Stage({ shown, handlers, drawings, says, isProblem, children, ...computing }) {
  const { progress, cancel, isSaid } = computing;
  const room = useDrawing(
    shown !== null,
    (root) => (drawings.views = createViews(root, handlers)),
    (made) => made.show(...shown),
  );
  return (
    <div class="stage" ref={room}>
      {views.map(({ name }, at) =>
        at === 0 ? (
          <div key={name} class={`view ${name}-view`} data-view={name} />
        ) : (
          <div key={name} class="view" data-view={name} hidden />
        ),
      )}
      <Message says={says} isProblem={isProblem} />
      {children}
      <Progress progress={progress} cancel={cancel} isSaid={isSaid} />
    </div>
  );
}
