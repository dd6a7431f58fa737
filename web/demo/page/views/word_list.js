// One side of the lines view: a listbox of words.

import { element, write } from '../element.js';
import { hasModifier } from '../keys.js';

let instances = 0;

/**
 * `part`: 'row' or 'column'; `hover(index | null)`, `select(index)` and `leave('row' | 'column')` are called by pointer
 * and keys.
 */
export function createWordList(part, { hover, select, leave }) {
  const name = `words-${++instances}`;
  const title = element('p', { id: `${name}-title` });
  const list = element('ul', { tabindex: 0, role: 'listbox', 'aria-labelledby': title.id });
  const box = element('div', { class: `side ${part}` }, title, list);
  const options = [];
  let shown = [];
  let current = 0;
  const lookOf = new WeakMap(); // option → key of its current look

  const indexOf = ({ target }) => {
    const option = target.closest('[role="option"]');
    return option && Number(option.dataset.index);
  };
  list.addEventListener('pointerover', (event) => {
    const index = indexOf(event);
    if (event.pointerType !== 'touch' && index !== null) hover(index);
  });
  list.addEventListener('pointerleave', () => hover(null));
  list.addEventListener('click', (event) => {
    const index = indexOf(event);
    if (index !== null) select(index);
  });
  list.addEventListener('keydown', (event) => {
    if (hasModifier(event) || options.length === 0) return;
    const targets = {
      ArrowUp: current - 1,
      ArrowDown: current + 1,
      PageUp: current - 10,
      PageDown: current + 10,
      Home: 0,
      End: options.length - 1,
    };
    const other = { __proto__: null, ArrowRight: 'column', ArrowLeft: 'row' }[event.key];
    // The word is selected already; the page would scroll.
    if (event.key === ' ') event.preventDefault();
    else if (other) leave(other);
    else if (Object.hasOwn(targets, event.key)) {
      const index = Math.max(0, Math.min(options.length - 1, targets[event.key]));
      hover(null);
      select(index);
      options[index].scrollIntoView({ block: 'nearest' });
    } else return;
    event.preventDefault();
  });

  const optionAt = (index) =>
    element('li', { id: `${name}-${index}`, 'data-index': index, role: 'option' }, element('bdi'));

  return {
    box,
    focus: () => list.focus(),
    fill(words, text) {
      write(title, text);
      if (words === shown) return;
      shown = words;
      while (options.length > words.length) options.pop().remove();
      const added = [];
      while (options.length < words.length) {
        const option = optionAt(options.length);
        options.push(option);
        added.push(option);
      }
      list.append(...added);
      words.forEach((word, index) => write(options[index].firstChild, word.text));
    },
    /** `strong`: weights of the words with the word hovered on the other side. */
    mark(pointed, selected, strong) {
      current = selected;
      options.forEach((option, index) => {
        const strength = strong?.get(index) ?? 0;
        const look = [index === pointed, strong !== null && strength === 0, index === selected];
        const key = `${look} ${strength}`;
        if (lookOf.get(option) === key) return;
        lookOf.set(option, key);
        option.classList.toggle('current', look[0]);
        option.classList.toggle('pale', look[1]);
        option.setAttribute('aria-selected', String(look[2]));
        option.style.setProperty('--strength', String(strength));
      });
      if (options[selected]) list.setAttribute('aria-activedescendant', options[selected].id);
    },
    /** Vertical centers of the words relative to `top`; all have the same height. */
    middles(top) {
      if (options.length === 0) return [];
      const first = options[0].getBoundingClientRect();
      return options.map((_, index) => first.top - top + (index + 0.5) * first.height);
    },
  };
}
