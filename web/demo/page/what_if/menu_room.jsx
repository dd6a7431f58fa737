// The menu of what can be blocked, in its room, with the keys and gestures that block something and that open it.

import { useLayoutEffect, useRef, useState } from '../component.jsx';
import { actionsFor } from './actions.js';
import { watchGestures } from './gestures.js';
import { Menu } from './menu.jsx';

/** @import { Opened } from './menu.jsx' */

/** `blocking`: result of createBlocking(); `cellAt(event)`: the cell of the matrix at the pointer. */
export function MenuRoom({ blocking, cellAt }) {
  const [opened, open] = useState(/** @type {Opened & { before: Element | null } | null} */ (null));
  const latest = useRef(opened);
  latest.current = opened;
  const { now, canBlock, setBlock, block, undo, measure } = blocking;

  function show(next) {
    latest.current = next;
    open(next);
  }

  function close({ focus } = { focus: true }) {
    const before = latest.current?.before;
    show(null);
    if (focus && before instanceof HTMLElement) before.focus({ preventScroll: true });
  }

  function openMenu(place, anchor) {
    if (!canBlock()) return;
    const where = { ...now(), ...place };
    const items = actionsFor(where).map(({ says, hint, key, block: text }) => ({
      ...{ says, hint, key },
      act: () => setBlock(text),
    }));
    const unit = where.facts.grid ? 'patch' : 'word';
    items.push(
      { says: 'Which head matters here?', hint: '', key: 'W', act: () => measure('heads') },
      { says: `Which ${unit} matters here?`, hint: '', key: '', act: () => measure('words') },
    );
    show({ items, anchor, before: document.activeElement });
  }

  useLayoutEffect(() => {
    watchGestures({
      ...{ now, canBlock, act: block, openMenu, cellAt, undo },
      isMenuOpen: () => latest.current !== null,
      findHeads: () => measure('heads'),
    });
  }, []);
  return (
    <div class="what-if-menu" role="menu" aria-label="Block" hidden={opened === null}>
      <Menu opened={opened} close={close} />
    </div>
  );
}
