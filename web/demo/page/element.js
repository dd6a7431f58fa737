// Makes an element of the page: attributes, then children. Nothing is ever parsed as HTML.

import { replaceInvisible } from '../../lib/heatmap/invisible.js';

/** A text of others (a token, the name of a file) as it may be shown: it turns no direction and hides nothing. */
export const visibly = (text) => (typeof text === 'string' ? replaceInvisible(text, '�') : text);

const spoken = ['title', 'placeholder', 'aria-label'];

/** A property that is a function becomes a listener, `false` and null are left out. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (spoken.includes(name) && value != null) made.setAttribute(name, visibly(value));
    else if (value !== false && value != null) made.setAttribute(name, value === true ? '' : value);
  }
  const shown = children.flat().filter((child) => child != null && child !== false);
  made.append(...shown.map(visibly));
  return made;
}

/** Changes a text only where it differs: what has not changed is not announced, nor laid out, again. */
export function write(target, text) {
  const shown = visibly(text);
  if (target.textContent !== shown) target.textContent = shown;
}

/** A formula: what follows _ is below the line, what follows ^ above it. */
export function formula(text) {
  const made = element('span', { class: 'formula' });
  writeFormula(made, text);
  return made;
}

const marked = /([_^])(\([^)]*\)|[\p{L}\d]+)/gu;

export function writeFormula(target, text) {
  if (target.dataset.formula === text) return;
  target.dataset.formula = text;
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(marked)) {
    const [whole, mark, inner] = found;
    parts.push(text.slice(end, found.index), element(mark === '_' ? 'sub' : 'sup', {}, inner));
    end = found.index + whole.length;
  }
  target.replaceChildren(...parts, text.slice(end));
}
