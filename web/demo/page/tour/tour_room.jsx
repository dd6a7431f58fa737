// The tour in its room, where it replaces the page's main content, and its keys.

import { useLayoutEffect, useRef } from '../component.jsx';
import { steps } from './steps.js';
import { isReady, Tour } from './tour.jsx';
import './tour.css';
import './parts/lookup_table.css';

/**
 * Reads: `tour` of the store, `lookup` of the state, `palette`. Calls: change({ tour: step }), which goes to a step, or ends
 * the tour with null; pickInTour() and goInTour() as in actions.js; tryText() ends it for a text of the reader; present() opens
 * or leaves the lecture view.
 */
export function TourRoom({ tour, lookup, palette, tryText, ...act }) {
  const { step } = tour;
  const room = useRef(/** @type {HTMLDivElement | null} */ (null));
  const isTrying = useRef(false); // the reader goes on to a text of their own
  const go = (to) => act.change({ tour: to });

  function forward() {
    if (step + 1 < steps.length) go(step + 1);
    else {
      isTrying.current = true;
      tryText();
    }
  }

  useLayoutEffect(() => {
    if (step === null) return undefined;
    /** @param {KeyboardEvent} event */
    function press(event) {
      if (event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const target = /** @type {Element} */ (event.target);
      const isField = target.matches?.('input, select, textarea, summary, .terms');
      if (event.key === 'Escape') go(null);
      else if (isField) return;
      else if (event.key === 'ArrowRight') forward();
      else if (event.key === 'ArrowLeft' && step > 0) go(step - 1);
      else if (event.key === 'Enter' && target === room.current?.querySelector('h2')) forward();
      else return;
      event.preventDefault();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [step]);

  const isOn = step !== null;
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const { classList } = document.body;
    classList.add('touring');
    return () => {
      classList.remove('touring'); // its button can have the focus again
      leaveFor(isTrying.current);
      isTrying.current = false;
    };
  }, [isOn]);
  return (
    <div
      class="tour"
      hidden={!isOn}
      role="main"
      aria-label="Tour"
      data-step={isOn ? steps[step].id : undefined}
      data-waiting={isOn ? !isReady(tour) : undefined}
      ref={room}
    >
      {isOn && <Tour {...act} {...{ tour, lookup, palette, forward }} />}
    </div>
  );
}

/** The element that gets the focus at the end: the button of the tour, or the text. */
function leaveFor(isText) {
  /** @type {NodeListOf<HTMLTextAreaElement>} */
  const sheets = document.querySelectorAll('.sheet textarea');
  const field = isText && Array.from(sheets).find((one) => one.checkVisibility());
  const starter = /** @type {HTMLElement} */ (document.querySelector('#tour-start'));
  (field || starter).focus();
  if (field) field.select();
}
