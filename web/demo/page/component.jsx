// Components in Preact: the way between them and the rest of the page. A component reads its arguments, which come from the
// store, and calls the actions among them; it keeps no copy of either.

/** @import { ComponentChildren } from 'preact' */
import { createElement, Fragment, hydrate, options, render } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formulaParts, spoken, visibly } from './element.js';
import { createLoaded } from './scheduling.js';

export { Fragment, createElement as h, hydrate, render };
export { useLayoutEffect, useMemo, useRef, useState };

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

/** Mounts a component into an element of a drawing; `actions` are among its arguments each time. */
export const mountComponent = (Component, root, actions) => ({
  show: (shown) => render(<Component {...actions} {...shown} />, root),
});

/** A component that is drawn again only when one of its arguments is another one. */
export const memo = (Component) => (shown) =>
  useMemo(() => <Component {...shown} />, Object.values(shown));

/**
 * A component that is loaded after the first paint that needs it. `load()` resolves to the component; its argument
 * `wait(promise)` is called while it is loaded.
 * @param {() => Promise<import('preact').FunctionComponent>} load
 */
export function later(load) {
  const { get, come } = createLoaded(load);

  /**
   * `until`: what stands there before.
   * @param {{ wait: <T>(promise: Promise<T>) => Promise<T>, until?: ComponentChildren, [name: string]: unknown }} shown
   */
  function Later({ wait, until, ...shown }) {
    const [, draw] = useState(0);
    useLayoutEffect(() => {
      if (!get()) come(wait).then(() => draw(1));
    }, []);
    const Part = get();
    return Part ? <Part {...shown} /> : until;
  }
  return Object.assign(Later, { isLoaded: () => get() !== null });
}

/**
 * The latest value for which `isIt` was true; the first one until then.
 * @template Value
 * @param {Value} value
 * @param {boolean} isIt
 */
export function useLatest(value, isIt) {
  const latest = useRef(value);
  if (isIt) latest.current = value;
  return latest.current;
}

/**
 * True if a condition was true once.
 * @param {boolean} isNow
 */
export const useEver = (isNow) => useLatest(isNow, isNow);

/** Content that a drawing writes by hand: components leave it alone, also what the build has written there. */
export const byHand = { __html: '' };

/**
 * Draws by hand in an element of a component, where `isOn`: `create(element)` returns what draws, `show(drawing)` is called
 * each time. Returns the ref of the element.
 * @template Made
 * @param {boolean} isOn
 * @param {(element: HTMLElement) => Made} create
 * @param {(drawing: Made) => void} show
 */
export function useDrawing(isOn, create, show) {
  const room = useRef(/** @type {HTMLDivElement | null} */ (null));
  const drawing = useRef(/** @type {Made | null} */ (null));
  useLayoutEffect(() => {
    if (!isOn || !room.current) return;
    drawing.current ??= create(room.current);
    show(drawing.current);
  });
  return room;
}

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
