// The message in place of a picture, and the progress of its computation.

/** @import { Loading } from '../state/types' */
import { useLayoutEffect, useState } from './component.jsx';

/** Message instead of a picture; `isProblem`: it is an error. */
export const Message = ({ says, isProblem }) => (
  <p class={isProblem ? 'message problem' : 'message'} role="status" hidden={says === ''}>
    {says}
  </p>
);

// The progress bar appears after a delay; the previous picture stays until the new one is ready.
const delay = 150; // ms
const cancelDelay = 1000; // ms

/**
 * `progress`: { text, fraction? } of loading, null if unknown, false when nothing is computed; `cancel()` ends what is
 * computed, null where nothing can be ended: a button offers it where it takes long; `isSaid`: no sentence below the picture
 * has its text.
 * @param {{ progress: Loading | null | false, cancel?: (() => unknown) | null, isSaid?: boolean }} shown
 */
export function Progress({ progress, cancel = null, isSaid = false }) {
  const isOn = progress !== false;
  const isLate = useLasting(isOn, delay);
  const isLong = useLasting(isOn, cancelDelay);
  return (
    <div class="progress" hidden={!isOn || !isLate}>
      <progress max={1} aria-label="Computing" value={progress ? progress.fraction : undefined} />
      {isSaid && <span>{progress ? progress.text : ''}</span>}
      <button
        type="button"
        class="quiet"
        hidden={!isOn || !isLong || cancel === null}
        onClick={() => cancel?.()}
      >
        Cancel
      </button>
    </div>
  );
}

/** True if `isOn` has been true for `delay` milliseconds. */
function useLasting(isOn, delay) {
  const [isLasting, last] = useState(false);
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => last(true), delay);
    return () => {
      clearTimeout(timer);
      last(false);
    };
  }, [isOn]);
  return isLasting;
}
