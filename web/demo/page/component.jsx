// Components in Preact: the way between them and the rest of the page. A component reads its arguments, which come from the
// store, and calls the actions among them; it keeps no copy of either.

import { createElement, Fragment, options, render } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formulaParts, spoken, visibly } from './element.js';

export { Fragment, createElement as h, useLayoutEffect, useMemo, useRef, useState };

/**
 * The texts of an element: its children, and theirs in lists.
 * @param {unknown} children
 */
const visibleChildren = (children) =>
  Array.isArray(children) ? children.map(visibleChildren) : visibly(children);

/**
 * Replaces invisible characters of untrusted text in all that components show, as element() does: in what stands between
 * tags, in attributes that are spoken, and in the text node of a component that returns a text alone.
 */
options.vnode = (node) => {
  /** @type {{ type: unknown, props: Record<string, unknown> }} */
  const { type, props } = node;
  if (type === null) node.props = visibly(props);
  else if ('children' in props) props.children = visibleChildren(props.children);
  if (typeof type !== 'string') return;
  for (const name of spoken) if (name in props) props[name] = visibly(props[name]);
};

/** Mounts a component into an element of the page; `actions` are among its arguments each time. */
export const mountComponent = (Component, root, actions) => ({
  show: (shown) => render(<Component {...actions} {...shown} />, root),
});

/**
 * Moves the focus when the focused element of a room disappears: to the first button of the room, else to `next()`.
 * @param {{ current: HTMLElement | null }} room
 * @param {() => HTMLElement | null | undefined} next
 */
export function useLostFocus(room, next) {
  const hadFocus = room.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    if (!hadFocus || room.current?.contains(document.activeElement)) return;
    (room.current?.querySelector('button') ?? next())?.focus();
  });
}

/**
 * A text with formulas: _ starts a subscript, ^ a superscript.
 * @param {{ text: string }} shown
 */
export const FormulaText = ({ text }) => (
  <>{formulaParts(text).map(([Mark, part]) => (Mark ? <Mark>{part}</Mark> : part))}</>
);

/**
 * A formula.
 * @param {{ text: string, tag?: 'span' | 'p', class?: string }} shown
 */
export const Formula = ({ text, tag: Tag = 'span', class: name = 'formula' }) => (
  <Tag class={name}>
    <FormulaText text={text} />
  </Tag>
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
  return <span class="drawing" ref={room} />;
}
