// DOM elements from a tag, attributes and children. No string is parsed as HTML.

import { invisibleCharacters } from 'attention-wasm/heatmap';

/**
 * Untrusted text (a token, a file name) for display: control characters of text direction and invisible characters are
 * replaced.
 */
export function visibly(text) {
  if (typeof text !== 'string') return text;
  let visible = '';
  let end = 0;
  for (const [index, character] of invisibleCharacters(text)) {
    visible += `${text.slice(end, index)}�`;
    end = index + character.length;
  }
  return visible + text.slice(end);
}

/**
 * An element that the page has.
 * @param {ParentNode} root
 * @param {string} selector
 */
export const findIn = (root, selector) => /** @type {HTMLElement} */ (root.querySelector(selector));

/** Attributes with text that may be untrusted. */
export const spoken = ['title', 'placeholder', 'aria-label'];

/** Attributes that are functions become event listeners; `false` and null are left out. */
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

/** Changes a text only if it differs, so that unchanged text is neither announced nor laid out again. */
export function write(target, text) {
  const shown = visibly(text);
  if (target.textContent !== shown) target.textContent = shown;
}

/** A formula: _ starts a subscript, ^ a superscript. */
export function formula(text) {
  const made = element('span', { class: 'formula' });
  writeFormula(made, text);
  return made;
}

export function writeFormula(target, text) {
  if (target.dataset.formula === text) return;
  target.dataset.formula = text;
  const parts = formulaParts(text);
  target.replaceChildren(...parts.map(([tag, part]) => (tag ? element(tag, {}, part) : part)));
}

const marked = /([_^])(\([^)]*\)|[\p{L}\d]+)/gu;

/** [tag or '', text] of each part of a formula. */
export function formulaParts(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(marked)) {
    const [whole, mark, inner] = found;
    parts.push(['', text.slice(end, found.index)], [mark === '_' ? 'sub' : 'sup', inner]);
    end = found.index + whole.length;
  }
  return [...parts, ['', text.slice(end)]];
}
