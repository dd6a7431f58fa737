// Full-screen view for lessons: the tour, or texts and picture, in large type. Where the browser refuses full screen, the
// view fills the window. F, Escape and a button leave it.

import { element, write } from '../element.js';
import { elementOf } from '../keys.js';
import './lesson.css';

// Size of the type: a share of the window, and its limits in CSS pixels.
const shares = { width: 0.016, height: 0.0285 };
const limits = { min: 16, max: 48 };
const mapLabels = 14; // CSS pixels of the labels of a heat map
const keyHint = 'Left and right arrow keys: the next step or word, and back. Up and down: scroll.';
const fingerHints = {
  tour: 'Next and Back go from step to step.',
  picture: 'Tap a word to see what it looks at.',
};

export function createLesson() {
  const root = document.documentElement;
  const says = element('p', { role: 'status' });
  const end = element(
    'button',
    { type: 'button', title: 'Key F or Escape', click: () => leave() },
    'Leave full screen',
  );
  const bar = element('section', { class: 'lesson-bar', 'aria-label': 'Full screen' });
  bar.append(says, end);
  bar.hidden = true;
  document.body.append(bar);
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
    bar.hidden = false;
    fit();
    const title = document.querySelector('.touring .tour h2');
    (title ?? end).focus({ preventScroll: true });
    isFull = await (full ?? Promise.reject()).then(
      () => true,
      () => false,
    );
    if (!isOn()) return;
    const fingerHint = fingerHints[title ? 'tour' : 'picture'];
    const hint = matchMedia('(hover: none)').matches ? fingerHint : keyHint;
    write(
      says,
      isFull ? hint : `This browser refuses full screen: the view fills the window. ${hint}`,
    );
  }

  function leave() {
    if (!isOn()) return;
    root.classList.remove('lesson');
    bar.hidden = true;
    write(says, '');
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
