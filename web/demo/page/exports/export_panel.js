// Export buttons. The code of the formats is loaded with the first export.

import { messageOf } from '../../../lib/arguments/message_of.js';

/** `now()` returns { state, picture, facts, selection, settings, views, tensors() }. */
export function createExportPanel(root, now) {
  const says = root.querySelector('.exported');
  const copied = root.querySelector('.copied');
  const paper = () => root.querySelector('[name="paper"]:checked').value;

  /** Text field to copy from, where the clipboard is not available. */
  function showText(text) {
    copied.hidden = false;
    copied.value = text;
    copied.rows = Math.min(14, text.split('\n').length + 1);
  }

  for (const button of root.querySelectorAll('[data-export]')) {
    button.addEventListener('click', async () => {
      copied.hidden = true;
      const shown = now();
      try {
        const { ways, withoutPicture } = await import('./formats.js');
        const format = button.dataset.export;
        says.textContent = shown.picture
          ? await ways[format](shown, { paper: paper(), showText })
          : withoutPicture(format, shown.state);
      } catch (error) {
        says.textContent = `That could not be made: ${messageOf(error)}.`;
      }
    });
  }
}
