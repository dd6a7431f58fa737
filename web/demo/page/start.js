// First script of the page, before the first paint: prepares the picture that index.html contains, or removes it if the
// address asks for another one; then loads main.js and what it imports, whose bytes would delay the style sheet.

import { classOf, drawnRays, placesOf, raysOf } from './texts/rays.js';
import { fitWords } from './texts/text_size.js';

const { modules = '' } = /** @type {HTMLElement} */ (document.currentScript).dataset;
const root = /** @type {HTMLElement} */ (document.querySelector('.sentences'));
const lines = [...root.querySelectorAll('.sentence')];

// A state without a fragment may have long texts in history.state.
if (location.hash === '' && Object.keys(history.state?.longTexts ?? {}).length === 0) {
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  /** @type {NodeListOf<HTMLElement>} */
  const words = root.querySelectorAll('[data-light]');
  for (const word of words) {
    [word.style.backgroundColor, word.style.color] = (word.dataset[theme] ?? '').split(';');
  }
  /** @type {NodeListOf<HTMLElement>} */
  const styled = document.querySelectorAll('[data-style]');
  for (const one of styled) one.style.cssText = one.dataset.style ?? '';
  fitWords(root, lines);
  if (root.classList.contains('rays')) drawRays();
} else {
  // The page's script writes them again; their attributes are its own.
  const says = document.querySelectorAll('.looking, .block-it, .next-words, .note');
  for (const one of [...lines, ...says]) one.replaceChildren();
  root.classList.remove('named');
}

for (const file of modules.split(' ')) import(file);

/** The rays of index.html, as rays.jsx draws them. */
function drawRays() {
  const room = /** @type {HTMLElement} */ (root.querySelector('.rays-room'));
  const { percents, ...links } = JSON.parse(room.dataset.rays ?? '');
  const [second, first] = lines.map((line) => Array.from(line.querySelectorAll('[role="option"]')));
  const rays = drawnRays(
    raysOf({ ...links, says: (weight) => percents[weight] }),
    placesOf({ first, second, frame: root }),
  );
  const drawn = rays.map((ray) => {
    const { d, width, opacity } = ray;
    return svg('path', { class: classOf(ray), d, 'stroke-width': width, opacity });
  });
  for (const { label, says, ...ray } of rays) {
    if (!label) continue;
    const { x, y, anchor } = label;
    const text = svg('text', { class: classOf(ray), x, y, 'text-anchor': anchor });
    text.textContent = says;
    drawn.push(text);
  }
  const picture = svg('svg', { class: 'rays', 'aria-hidden': 'true' });
  picture.append(...drawn);
  room.append(picture);
}

/** @type {(tag: string, attributes: Record<string, string | number>) => Element} */
function svg(tag, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
