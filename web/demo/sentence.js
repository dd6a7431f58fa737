// One text of the text view: a line of words, each of which can be pointed at and chosen.

import { colorOf } from './colors.js';
import { formatBriefly } from './numbers.js';

/** `onHover(index | null)` and `onSelect(index)` are told which word. */
export function createSentence(element, { onHover, onSelect }) {
  let words = null;
  let options = [];
  let current = 0;

  /**
   * `shades` has per word a weight, or null where the word is hidden from the one that reads; none
   * for a text that is not looked at. `read` and `looked` are indices, −1 for no word.
   */
  function show({ title, text, words: next, shades, topWeight, palette, read, looked, selected }) {
    element.setAttribute('aria-label', title);
    if (next !== words) {
      words = next;
      options = fill(text);
    }
    if (current !== selected) {
      current = selected;
      if (options[selected]) reveal(options[selected]);
    }
    options.forEach((option, index) => {
      const weight = shades?.[index];
      const known = typeof weight === 'number';
      const color = known && index !== read ? colorOf(weight, topWeight, palette) : null;
      option.style.backgroundColor = color?.fill ?? '';
      option.style.color = color?.text ?? '';
      option.dataset.weight = known ? formatBriefly(weight) : '';
      option.classList.toggle('read', index === read);
      option.classList.toggle('looked', index === looked);
      option.classList.toggle('out-of-sight', weight === null);
      option.setAttribute('aria-selected', String(index === selected));
    });
    if (options[selected]) element.setAttribute('aria-activedescendant', options[selected].id);
    else element.removeAttribute('aria-activedescendant');
  }

  // The text as it was written, spaces and all, with an element around each word.
  function fill(text) {
    const fragment = document.createDocumentFragment();
    let end = 0;
    const made = words.map((word, index) => {
      const start = Math.max(end, text.indexOf(word, end));
      fragment.append(text.slice(end, start));
      end = start + word.length;
      const option = document.createElement('span');
      option.id = `${element.id}-${index}`;
      option.dataset.index = index;
      option.setAttribute('role', 'option');
      option.textContent = word;
      fragment.append(option);
      return option;
    });
    element.replaceChildren(fragment);
    element.scrollTop = 0;
    return made;
  }

  const indexOf = ({ target }) => {
    const option = target.closest('[role="option"]');
    return option ? Number(option.dataset.index) : null;
  };
  element.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'touch') onHover(indexOf(event));
  });
  element.addEventListener('pointerleave', () => onHover(null));
  element.addEventListener('click', (event) => {
    const index = indexOf(event);
    if (index !== null) onSelect(index);
  });
  element.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = keyTarget(event.key);
    if (index === null || words.length === 0) return;
    event.preventDefault();
    onSelect(index);
  });

  function keyTarget(key) {
    const last = words.length - 1;
    if (key === 'Home') return 0;
    if (key === 'End') return last;
    const isRightToLeft = getComputedStyle(element).direction === 'rtl';
    const forwards = ['ArrowDown', isRightToLeft ? 'ArrowLeft' : 'ArrowRight'];
    const backwards = ['ArrowUp', isRightToLeft ? 'ArrowRight' : 'ArrowLeft'];
    if (forwards.includes(key)) return Math.min(last, current + 1);
    return backwards.includes(key) ? Math.max(0, Math.min(last, current - 1)) : null;
  }

  // Within the line's own room; scrollIntoView() would move the page as well.
  function reveal(option) {
    const [frame, word] = [element.getBoundingClientRect(), option.getBoundingClientRect()];
    const margin = 16;
    if (word.top < frame.top) element.scrollTop -= frame.top - word.top + margin;
    if (word.bottom > frame.bottom) element.scrollTop += word.bottom - frame.bottom + margin;
  }

  return { element, show };
}
