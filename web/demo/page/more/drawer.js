// Drawer with everything that the first picture does not need: the source, settings, export, keys, about. Beside the page
// where there is room, else a sheet at the bottom. It opens as its reader left it.

import { useLayoutEffect, useMemo, useRef, useState } from '../component.jsx';

const key = 'attention: more'; // key in localStorage
const sheet = '(max-width: 59.99rem)'; // windows in which it is a sheet

/**
 * State of the drawer, and what its reader does: `hasSettings`: the settings were unfolded; `panel` and `button`: refs of its
 * elements. A part that can be unfolded has its name in data-fold.
 */
export function useDrawer() {
  const [isOpen, open] = useState(false);
  const [hasSettings, needSettings] = useState(false);
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const left = useRef({ top: 0 }); // where its reader left it, until it is there again

  useLayoutEffect(() => {
    const { isOpen: wasOpen = false, names = [], top = 0 } = read();
    for (const fold of foldsIn(panel)) fold.open = names.includes(fold.dataset.fold);
    // A sheet never opens by itself: it would cover the page.
    if (!wasOpen || matchMedia(sheet).matches) return;
    left.current = { top };
    open(true);
  }, []);

  useLayoutEffect(() => {
    document.body.classList.toggle('with-more', isOpen);
    if (!isOpen) return;
    if (foldsIn(panel).some((one) => one.open && isSettings(one))) needSettings(true);
    const { top } = left.current;
    left.current = { top: 0 };
    if (top > 0 && panel.current) panel.current.scrollTop = top;
  }, [isOpen]);

  return useMemo(() => {
    const remember = (isOpenNow = isOpen) => {
      const names = foldsIn(panel).filter((one) => one.open);
      write({
        ...{ isOpen: isOpenNow, names: names.map(({ dataset }) => dataset.fold) },
        top: panel.current?.scrollTop,
      });
    };
    function close() {
      open(false);
      remember(false);
      button.current?.focus();
    }
    return {
      ...{ isOpen, hasSettings, panel, button, close },
      toggle() {
        open(!isOpen);
        remember(!isOpen);
      },
      /** A key in the drawer or at its button. */
      press(event) {
        if (event.key !== 'Escape' || event.defaultPrevented || !isOpen) return;
        event.preventDefault();
        close();
      },
      /** A part was unfolded or folded. */
      fold({ currentTarget: fold }) {
        if (!isOpen) return;
        remember();
        if (!fold.open || !isSettings(fold)) return;
        needSettings(true);
        // The map stays visible above its settings.
        if (matchMedia(sheet).matches) document.querySelector('#picture')?.scrollIntoView();
      },
      scrolled: () => remember(),
    };
  }, [isOpen, hasSettings]);
}

/**
 * @param {{ current: HTMLElement | null }} panel
 * @returns {HTMLDetailsElement[]}
 */
const foldsIn = ({ current }) =>
  Array.from(current?.querySelectorAll('details') ?? []).filter(isFold);

const isFold = ({ dataset }) => dataset.fold !== undefined;
const isSettings = ({ dataset }) => dataset.fold === 'settings';

// localStorage may be unavailable.
function write(state) {
  try {
    localStorage.setItem(key, JSON.stringify(state));
  } catch {
    // The drawer starts closed on the next visit.
  }
}

function read() {
  try {
    const { isOpen, names, top } = JSON.parse(localStorage.getItem(key) ?? 'null') ?? {};
    return { isOpen: isOpen === true, names: [names].flat(), top: Number(top) || 0 };
  } catch {
    return {};
  }
}
