// The sentence of the selected cell for screen readers: announced after a pause, after keys, clicks, and blocks, in every view.

import { useLayoutEffect, useState } from './component.jsx';

const pause = 700; // ms

/** `says`: undefined where the selection is about to change. */
export function Announcement({ says }) {
  const [said, say] = useState('');
  useLayoutEffect(() => {
    if (says === undefined) return undefined;
    const timer = setTimeout(() => say(says), pause);
    return () => clearTimeout(timer);
  }, [says]);
  return (
    <p class="unseen" id="announcement" role="status">
      {said}
    </p>
  );
}
