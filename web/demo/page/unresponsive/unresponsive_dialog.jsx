// Dialog while the worker does not respond: stop it, or wait.

import { useLayoutEffect, useRef } from '../component.jsx';

/** `stop()` and `wait()` are the reader's choices. */
export function UnresponsiveDialog({ stop, wait }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const keep = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => {
    const before = document.activeElement;
    const room = box.current;
    // Focus stays in a text field: typing must not press a button.
    if (!isField(before)) keep.current?.focus();
    return () => {
      if (before instanceof HTMLElement && room?.contains(document.activeElement)) before.focus();
    };
  }, []);
  return (
    <div
      class="unresponsive-box"
      role="alertdialog"
      aria-labelledby="unresponsive-title"
      aria-describedby="unresponsive-says"
      onKeyDown={({ key }) => key === 'Escape' && wait()}
      ref={box}
    >
      <h2 id="unresponsive-title">The computation does not answer</h2>
      <p id="unresponsive-says">
        Nothing has come from it for 20 seconds: it may take long, or never end. Stopping it closes
        your model and files; your text stays.
      </p>
      <div class="buttons">
        <button type="button" class="stop" onClick={() => stop()}>
          Stop and restart
        </button>
        <button type="button" onClick={() => wait()} ref={keep}>
          Keep waiting
        </button>
      </div>
    </div>
  );
}

const isField = (one) =>
  one?.matches('textarea, input:not([type]), input[type="text"], input[type="number"]');
