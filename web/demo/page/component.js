// Components in Preact: elements, and the two ways between them and the rest of the page. A component reads its
// arguments, which come from the store, and calls the actions among them; it keeps no copy of either.

import { createElement, render } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formulaParts, spoken, visibly } from './element.js';

export { useLayoutEffect, useMemo, useRef, useState };

/** createElement(), with invisible characters of untrusted text replaced as element() does. */
export function h(type, attributes, ...children) {
  const shown = { ...attributes };
  for (const name of spoken) if (name in shown) shown[name] = visibly(shown[name]);
  return createElement(type, shown, ...children.flat().map(visibly));
}

/** Mounts a component into an element of the page; `actions` are among its arguments each time. */
export const mountComponent = (Component, root, actions) => ({
  show: (shown) => render(createElement(Component, { ...actions, ...shown }), root),
});

/** A formula: _ starts a subscript, ^ a superscript. */
export const Formula = ({ text, tag = 'span', class: name = 'formula' }) =>
  createElement(
    tag,
    { class: name },
    formulaParts(text).map(([mark, part]) => (mark ? createElement(mark, null, part) : part)),
  );

/**
 * Something drawn by hand within a component: `create(latest)` returns { element, show(arguments) }; `latest()` returns
 * the arguments last shown, for its events.
 */
export function Drawing({ create, ...shown }) {
  const room = useRef(/** @type {HTMLElement | null} */ (null));
  const drawing = useRef(
    /** @type {{ element: Element, show(shown: object): void } | null} */ (null),
  );
  const latest = useRef(shown);
  latest.current = shown;
  useLayoutEffect(() => {
    const made = drawing.current ?? create(() => latest.current);
    if (!drawing.current) room.current?.append(made.element);
    drawing.current = made;
    made.show(shown);
  });
  return createElement('span', { class: 'drawing', ref: room });
}
