// Dialog while the worker does not respond: stop it, or wait.

import { element } from './element.js';
import './style/unresponsive_dialog.css';

const isField = (one) =>
  one?.matches('textarea, input:not([type]), input[type="text"], input[type="number"]');

/** `stop()` and `wait()` are the reader's choices. Returns show(isSilent). */
export function createUnresponsiveDialog(root, { stop, wait }) {
  let before = null; // the element focused before
  const keep = element('button', { type: 'button', click: wait }, 'Keep waiting');
  root.append(
    element(
      'div',
      {
        class: 'unresponsive-box',
        role: 'alertdialog',
        'aria-labelledby': 'unresponsive-title',
        'aria-describedby': 'unresponsive-says',
        keydown({ key }) {
          if (key === 'Escape') wait();
        },
      },
      element('h2', { id: 'unresponsive-title' }, 'The computation does not answer'),
      element(
        'p',
        { id: 'unresponsive-says' },
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
      // Focus stays in a text field: typing must not press a button.
      if (!isField(before)) keep.focus();
    } else if (hadFocus) {
      before?.focus();
    }
  };
}
