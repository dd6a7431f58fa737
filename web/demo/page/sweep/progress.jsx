// How far a sweep is, and the button that cancels it or measures again.

import { isOfPart, targetIn } from '../../state/effects.js';

/** `sweep` of the store, or null; `reason`: why to measure again, or ''; `isReady`: no picture is being computed. */
export function Progress({ sweep, reason, isReady, measureAgain }) {
  const { isRunning, plan, runs } = sweep ?? { isRunning: true };
  if (!isRunning && reason === '') return null;
  const total = plan?.cells.length;
  const amount = plan ? { max: total, value: runs.length } : {};
  return (
    <p class="far">
      {isRunning && <progress aria-label="Measuring" {...amount} />}
      <span>{isRunning ? `${runs?.length ?? 0} of ${total ?? '…'}` : reason}</span>
      {sweep && (isRunning || isReady) && (
        <button type="button" class="quiet" onClick={() => measureAgain()}>
          {isRunning ? 'Cancel' : 'Measure again'}
        </button>
      )}
    </p>
  );
}

/** The reason to measure again, or ''. */
export function reasonFor({ sweep, isOld, picture, place }) {
  const { why, plan, runs, isDone } = sweep;
  if (why !== '') return why;
  if (isOld) return 'The text, or what is blocked, is another now.';
  if (!isDone) return plan ? `Canceled at ${runs.length} of ${plan.cells.length}.` : 'Canceled.';
  if (!isOfPart(plan, picture.part)) return 'These are the words of the other text.';
  const isElsewhere = plan.isPartial && targetIn(plan, picture, place.row) < 0;
  return isElsewhere ? 'Measured at another word.' : '';
}
