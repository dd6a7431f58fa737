// Undo, behind the last word of the text that is written while something is blocked.

import { useLayoutEffect, useLostFocus, useRef } from '../component.jsx';

const gap = 12; // CSS pixels between the last word and the button
const beside = 52; // CSS pixels at the end of the line below, where the name of the text has its own button

/**
 * `isShown`: something is blocked; `text`: ref of the list of words, above which the button stands; `undo()`.
 * @param {{ isShown: boolean, text: { current: HTMLElement | null }, undo(): void }} shown
 */
export function UndoBeside({ isShown, text, undo }) {
  const room = useRef(/** @type {HTMLDivElement | null} */ (null));
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLostFocus(room, () => document.querySelector('.block-it button'));
  useLayoutEffect(() => {
    if (!button.current) return undefined;
    const here = button.current;
    const words = /** @type {HTMLElement} */ (text.current);
    const observer = new ResizeObserver(() => place(here, words));
    observer.observe(words);
    place(here, words);
    return () => observer.disconnect();
  });
  return (
    <div class="undo-beside" ref={room}>
      {isShown && (
        <button type="button" ref={button} title="Key U" onClick={undo}>
          Undo <kbd aria-hidden="true">U</kbd>
        </button>
      )}
    </div>
  );
}

/** Behind the last word of the text, or at the end of the line below it where there is no room. */
function place(button, text) {
  const words = text.querySelectorAll('[role="option"], .gone');
  const last = words[words.length - 1];
  const room = button.parentElement.getBoundingClientRect();
  const frame = text.getBoundingClientRect();
  const { width, height } = button.getBoundingClientRect();
  const rects = last ? Array.from(last.getClientRects()) : [];
  const { left, right, top, bottom } = rects[rects.length - 1] ?? frame;
  const isRightToLeft = getComputedStyle(text).direction === 'rtl';
  const wanted = isRightToLeft ? left - 2 * gap - width : right + 2 * gap;
  const [first, end] = [frame.left, frame.right - width];
  const hasRoom = wanted >= first && wanted <= end;
  const x = hasRoom ? wanted : isRightToLeft ? first + beside : end - beside;
  const y = hasRoom ? (top + bottom - height) / 2 : bottom + 2;
  const [across, down] = [x - room.left, y - room.top].map((one) => `${one.toFixed(1)}px`);
  button.style.setProperty('translate', `${across} ${down}`);
}
