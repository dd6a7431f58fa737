// The value in force of a field that its reader may be using.

import { useLayoutEffect, useRef } from '../component.jsx';

/**
 * A ref of an input that shows the value in force, unless the reader is at it.
 * @param {string} value
 */
export function useInForce(value) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => {
    const { current } = field;
    if (current && document.activeElement !== current) current.value = value;
  });
  return field;
}
