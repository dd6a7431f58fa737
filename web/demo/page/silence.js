// The notice that the worker does not answer, above everything else: to stop it, or to wait.

import { element } from './element.js';

const isField = (one) =>
  one?.matches('textarea, input:not([type]), input[type="text"], input[type="number"]');

/** `stop()` and `wait()`: what the reader has chosen. Returns show(isSilent). */
export function createSilence(root, { stop, wait }) {
  let before = null; // what had the focus
  const keep = element('button', { type: 'button', click: wait }, 'Keep waiting');
  root.append(
    element(
      'div',
      {
        class: 'silence-box',
        role: 'alertdialog',
        'aria-labelledby': 'silence-title',
        'aria-describedby': 'silence-says',
        keydown({ key }) {
          if (key === 'Escape') wait();
        },
      },
      element('h2', { id: 'silence-title' }, 'The computation does not answer'),
      element(
        'p',
        { id: 'silence-says' },
        'Nothing has come from it for 20 seconds: it may take long, or never end. Stopping it closes your model and files; your text stays.',
      ),
      element(
        'div',
        { class: 'buttons' },
        element('button', { type: 'button', class: 'stop', click: stop }, 'Stop and restart'),
        keep,
      ),
    ),
  );

  return (isSilent) => {
    const hadFocus = root.contains(document.activeElement);
    root.hidden = !isSilent;
    if (isSilent) {
      before = document.activeElement;
      // Keys that are meant for a text must not press a button.
      if (!isField(before)) keep.focus();
    } else if (hadFocus) {
      before?.focus();
    }
  };
}
