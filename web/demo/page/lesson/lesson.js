// Lecture view: the tour, or texts, map and sentence alone, in large type and full screen. Where the browser refuses full
// screen, the view fills the window. Escape, F and a button leave it.

import { mountComponent } from '../component.jsx';
import { findIn } from '../element.js';
import { elementOf } from '../keys.js';
import { LectureBar } from './lecture_bar.jsx';
import './lesson.css';

// Size of the type: a share of the window, and its limits in CSS pixels.
const shares = { width: 0.016, height: 0.0285 };
const limits = { min: 16, max: 48 };
const mapLabels = 13.6; // CSS pixels: a heat map, whose labels have 12 or 14, is enlarged as the type is
const keyHints = {
  tour: 'Left and right arrow keys: the next step, and back. Up and down: scroll.',
  picture:
    'Arrow keys: the next word, and back. Space: play. X: block the link. H: hide the word. U: undo.',
};
const fingerHints = {
  tour: 'Next and Back go from step to step.',
  picture: 'Tap a word to see what it looks at.',
};

export function createLesson() {
  const root = document.documentElement;
  const room = document.createElement('section');
  room.className = 'lesson-bar';
  room.setAttribute('aria-label', 'Lecture view');
  room.hidden = true;
  document.body.append(room);
  const bar = mountComponent(LectureBar, room, { leave });
  let opener = null;
  let isFull = false;

  const isOn = () => root.classList.contains('lesson');

  /** The size of the type in a window. */
  function fit() {
    if (!isOn()) return;
    const wanted = Math.min(shares.width * innerWidth, shares.height * innerHeight);
    const size = Math.max(limits.min, Math.min(limits.max, wanted));
    root.style.setProperty('font-size', `${size.toFixed(2)}px`);
    root.style.setProperty('--map-scale', Math.max(1, size / mapLabels).toFixed(3));
  }

  /** `full`: promise of the browser's full screen, if it has one; `from`: element with the focus. */
  async function enter(full, from) {
    opener = from;
    root.classList.add('lesson');
    room.hidden = false;
    bar.show({ says: '' });
    fit();
    const title = findIn(document, '.touring .tour h2');
    (title ?? findIn(document, '#first-words')).focus({ preventScroll: true });
    isFull = await (full ?? Promise.reject()).then(
      () => true,
      () => false,
    );
    if (!isOn()) return;
    const hints = matchMedia('(hover: none)').matches ? fingerHints : keyHints;
    const hint = hints[title ? 'tour' : 'picture'];
    bar.show({
      says: isFull ? hint : `This browser refuses full screen: the view fills the window. ${hint}`,
    });
  }

  function leave() {
    if (!isOn()) return;
    root.classList.remove('lesson');
    room.hidden = true;
    for (const name of ['font-size', '--map-scale']) root.style.removeProperty(name);
    if (document.fullscreenElement) document.exitFullscreen();
    if (opener?.isConnected && opener.checkVisibility?.() !== false)
      opener.focus({ preventScroll: true });
    isFull = false;
  }

  document.addEventListener('fullscreenchange', () => {
    if (isFull && !document.fullscreenElement) leave();
  });
  addEventListener('resize', fit);
  // Before the tour, which Escape would end.
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isOn() || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== 'Escape' || elementOf(event).closest('[role="menu"]')) return;
      leave();
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );

  return { enter, leave };
}
