// Play: a translation is written word by word; in other texts one word after the other is selected. Space stops and goes
// on. Anything else that the reader does ends it. For readers who want no motion each press is a step of a translation.

import { canWrite } from '../state/playing.js';
import { elementOf, hasModifier, isEditing } from './keys.js';
import { createTicker } from './scheduling.js';

const pace = 900; // ms per word
const alone = ['Shift', 'Control', 'Alt', 'Meta']; // keys that do nothing alone
const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * `now()`: the store; `read()` selects the next word; `start(isRunning)`, `step()`, `stepWord()`, `pause()` and `end()` as in
 * state/playing.js; `changed()` is called when look() is another one.
 */
export function createPlayer({ now, read, changed, ...act }) {
  const reading = createTicker(read);
  const writing = createTicker(act.step);
  const isActive = () => reading.isRunning() || now().playing !== null;

  function press() {
    if (!canWrite(now())) {
      if (reading.isRunning()) reading.stop();
      else {
        read();
        reading.start(pace);
      }
      changed();
    } else if (stillness.matches) act.stepWord();
    else if (now().playing) act.pause();
    else act.start(true);
  }

  function stop() {
    reading.stop();
    act.end();
    changed();
  }

  /** Starts and stops what writes. */
  function follow({ playing }) {
    if (playing?.isRunning !== true) writing.stop();
    else if (!writing.isRunning()) writing.start(pace / 2);
  }

  /** The button's name: what it does next. */
  function look({ playing }) {
    const isRunning = playing?.isRunning === true || reading.isRunning();
    return {
      isRunning,
      name: isRunning ? 'Pause' : playing && stillness.matches ? 'Next' : 'Play',
    };
  }

  /** Space plays where it would do nothing else, and while something is played everywhere. */
  function isPlayKey(event) {
    if (event.key !== ' ' || hasModifier(event) || isEditing(elementOf(event))) return false;
    const isLecture = document.documentElement.classList.contains('lesson');
    return isActive() || (isLecture && !elementOf(event).closest('button, input, .tour'));
  }

  const isPress = ({ key, target }) => key === 'Enter' && isAtButton(target);

  let isHandled = false; // the key that is down is that of Play: buttons are clicked when it is released
  document.addEventListener(
    'keydown',
    (event) => {
      isHandled = isPlayKey(event);
      if (isHandled) {
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) press();
      } else if (isActive() && !isPress(event) && !alone.includes(event.key)) stop();
    },
    { capture: true },
  );
  document.addEventListener(
    'keyup',
    (event) => isHandled && event.key === ' ' && event.preventDefault(),
    {
      capture: true,
    },
  );
  document.addEventListener('pointerdown', ({ target }) => {
    if (isActive() && !isAtButton(target)) stop();
  });
  return { follow, look, press, stop };
}

const isAtButton = (target) => target.closest?.('#play') != null;
