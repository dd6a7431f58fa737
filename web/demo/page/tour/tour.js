// The tour: a card that says, sets and points, and gives back what the reader had before.

import { element, write } from '../element.js';
import { steps } from './steps.js';

/** `getState()` and `change(part)` are the page's. */
export function createTour(root, starter, { getState, change }) {
  let at = -1;
  let before = null;
  const title = element('h2', { tabindex: '-1' });
  const says = element('p');
  const count = element('p', { class: 'hint' });
  const back = element(
    'button',
    { type: 'button', class: 'quiet', click: () => go(at - 1) },
    'Back',
  );
  const next = element('button', { type: 'button', click: () => go(at + 1) }, 'Next');
  const close = element('button', { type: 'button', class: 'quiet', click: end }, 'End the tour');
  root.append(count, title, says, element('div', { class: 'buttons' }, back, next, close));
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') end();
  });

  function go(index) {
    if (index >= steps.length) {
      end();
      return;
    }
    before ??= getState();
    at = Math.max(0, index);
    const step = steps[at];
    root.hidden = false;
    document.body.classList.add('touring');
    write(count, `${at + 1} of ${steps.length}`);
    write(title, step.title);
    write(says, step.says);
    back.disabled = at === 0;
    write(next, at === steps.length - 1 ? 'To my own text' : 'Next');
    change({ source: 'ngrams', part: '', ...step.set });
    point(step.at);
    title.focus({ preventScroll: true });
  }

  function point(selector) {
    for (const old of document.querySelectorAll('.pointed')) old.classList.remove('pointed');
    const place = selector && document.querySelector(selector);
    if (!place) return;
    place.classList.add('pointed');
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    place.scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
  }

  function end() {
    if (at < 0) return;
    at = -1;
    root.hidden = true;
    document.body.classList.remove('touring');
    point(null);
    change(before);
    before = null;
    starter.focus();
  }

  return { start: () => go(0) };
}
