// Choices of the map in its row: layer and head. On a phone one button opens them, with Play, which is elsewhere on wide
// windows.

import { write } from './element.js';

const phone = matchMedia('(max-width: 40rem)');

export function createMapChoices(button, panel, play) {
  const beside = play.parentElement;

  function open(isOpen) {
    button.setAttribute('aria-expanded', String(isOpen));
    panel.classList.toggle('open', isOpen);
  }

  function place() {
    open(false);
    (phone.matches ? panel : beside).append(play);
  }

  button.addEventListener('click', () => open(!panel.classList.contains('open')));
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !phone.matches) return;
    event.preventDefault();
    open(false);
    button.focus();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!panel.contains(target) && !button.contains(target)) open(false);
  });
  phone.addEventListener('change', place);
  place();

  return {
    /** `layer` and `head`: their names in the lists. */
    show: (layer, head) => write(button, [layer, head].filter(Boolean).join(', ') || 'Choices'),
  };
}
