// Start of the lecture view, also by the key F. The view itself is loaded with its first use.

import { elementOf, hasModifier, isEditing } from '../keys.js';

/** `wait(promise)` is called while the view loads. Returns toggle(). */
export function createLessonStart({ wait }) {
  let loading = null;

  /** Browsers allow full screen only within the event of a key or click. */
  async function toggle() {
    const root = document.documentElement;
    const isOn = root.classList.contains('lesson');
    const full = isOn ? null : root.requestFullscreen?.({ navigationUI: 'hide' });
    full?.catch(() => {}); // the view tells of it
    loading ??= wait(import('./lesson.js')).then(({ createLesson }) => createLesson());
    const opener = document.activeElement;
    try {
      const { leave, enter } = await loading;
      if (isOn) leave();
      else enter(full, opener);
    } catch {
      loading = null; // loading may succeed later
    }
  }

  document.addEventListener('keydown', (event) => {
    const { key, defaultPrevented } = event;
    if (key.toLowerCase() !== 'f' || hasModifier(event) || defaultPrevented) return;
    if (isEditing(elementOf(event))) return;
    event.preventDefault();
    toggle();
  });
  return toggle;
}
