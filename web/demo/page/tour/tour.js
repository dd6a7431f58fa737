// The tour: a card that says, sets and points, and gives back the reader's own state. It stands in the section
// that it is about, above its subject and never over it.

import { element, write } from '../element.js';
import { steps } from './steps.js';

/** `getState()` and `change(part)` are the page's. */
export function createTour(root, starter, { getState, change }) {
  let at = -1;
  let before = null;
  let pointed = null; // the section that the card stands in
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
    write(count, `${at + 1} of ${steps.length}`);
    write(title, step.title);
    write(says, step.says);
    back.disabled = at === 0;
    write(next, at === steps.length - 1 ? 'To my own text' : 'Next');
    change({ source: 'ngrams', part: '', ...step.set });
    standIn(document.querySelector(step.at));
  }

  function standIn(section) {
    section.classList.add('pointed');
    if (pointed !== section) pointed?.classList.remove('pointed');
    pointed = section;
    section.querySelector('h2').after(root);
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    root.scrollIntoView({ block: 'start', behavior: calm ? 'auto' : 'smooth' });
    title.focus({ preventScroll: true });
  }

  function end() {
    if (at < 0) return;
    at = -1;
    root.hidden = true;
    pointed.classList.remove('pointed');
    pointed = null;
    change(before);
    before = null;
    starter.focus();
  }

  return { start: () => go(0) };
}
