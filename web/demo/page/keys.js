// Keys that act in the whole page: everywhere but in a field that is being edited.

const fields =
  'textarea, select, input:not([type="radio"], [type="checkbox"], [type="range"]), [role="menu"]';
// Elements that use the arrow keys without a listener of their own: they choose or scroll.
const withArrows = 'input, select, textarea, .view, .matrix';
const steps = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * True if a key is text, or the choice of a menu, where `target` has the focus.
 * @param {Element} target
 */
export const isEditing = (target) => target.closest(fields) !== null;

/** @param {Event} event of a key: its target is an element */
export const elementOf = ({ target }) => /** @type {Element} */ (target);

export const hasModifier = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

/**
 * ← and →: the word before or after. `step(by)` returns false where there is none.
 * @param {(by: number) => boolean} step
 */
export function watchArrows(step) {
  document.addEventListener('keydown', (event) => {
    const { key, defaultPrevented } = event;
    const target = elementOf(event);
    if (defaultPrevented || hasModifier(event) || !Object.hasOwn(steps, key)) return;
    if (target.closest(withArrows) || isEditing(target)) return;
    if (step(steps[key])) event.preventDefault();
  });
}
