// The tour in its room, where it replaces the page's main content, and its keys.

import { h, mountComponent } from '../component.jsx';
import { steps } from './steps.js';
import { isReady, Tour } from './tour.jsx';
import './tour.css';
import './parts/lookup_table.css';

/**
 * `change({ tour: step })` goes to a step, null ends the tour; pickInTour() and goInTour() as in actions.js; `tryText()`
 * ends it for a text of the reader; `present()` opens or leaves the lecture view.
 */
export function createTour(root, starter, { tryText, ...act }) {
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  let at = null; // the step
  let isTrying = false; // the reader goes on to a text of their own
  const go = (step) => act.change({ tour: step });
  const mounted = mountComponent((shown) => shown.tour.step !== null && h(Tour, shown), root, {
    ...{ ...act, forward },
  });
  root.setAttribute('role', 'main');
  root.setAttribute('aria-label', 'Tour');

  function forward() {
    if (at + 1 < steps.length) go(at + 1);
    else {
      isTrying = true;
      tryText();
    }
  }

  document.addEventListener('keydown', (event) => {
    if (at === null || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = /** @type {Element} */ (event.target);
    const isField = target.matches?.('input, select, textarea, summary, .terms');
    if (event.key === 'Escape') go(null);
    else if (isField) return;
    else if (event.key === 'ArrowRight') forward();
    else if (event.key === 'ArrowLeft' && at > 0) go(at - 1);
    else if (event.key === 'Enter' && target === root.querySelector('h2')) forward();
    else return;
    event.preventDefault();
  });

  function leave() {
    /** @type {NodeListOf<HTMLTextAreaElement>} */
    const sheets = main.querySelectorAll('.sheet textarea');
    const fields = Array.from(sheets);
    const field = isTrying && fields.find((one) => one.checkVisibility());
    isTrying = false;
    (field || starter).focus();
    if (field) field.select();
  }

  return {
    /** `tour` of the store, `lookup` of the state, and the palette. */
    show(shown) {
      const { step } = shown.tour;
      const isLeaving = at !== null && step === null;
      at = step;
      main.hidden = step !== null;
      root.hidden = step === null;
      document.body.classList.toggle('touring', step !== null);
      if (step !== null) {
        root.dataset.step = steps[step].id;
        root.dataset.waiting = String(!isReady(shown.tour));
      }
      mounted.show(shown);
      if (isLeaving) leave();
    },
  };
}
