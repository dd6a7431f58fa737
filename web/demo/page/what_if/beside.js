// Place of the map of effects and of the button that opens it: beside the picture where there is room, else below its
// read-out.

export const wide = matchMedia('(min-width: 72rem)'); // the inspector stands beside the picture

/** Puts an element there, also after a change of the width; `moving()` is called before, what it returns after. */
export function beside(root, moving) {
  function place() {
    const moved = moving?.();
    const active = root.contains(document.activeElement) ? document.activeElement : null;
    if (wide.matches) document.querySelector('.inspector').prepend(root);
    else document.querySelector('.readout').after(root);
    active?.focus({ preventScroll: true });
    moved?.();
  }
  wide.addEventListener('change', place);
  place();
}
