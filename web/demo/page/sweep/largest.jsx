// The largest effects, as buttons that show their heads or words in the view.

import { largest } from '../../state/effects.js';
import { cellName, formatEffect, targetName } from './sweep_map.js';

const shownLargest = 3;

/** `target`: index of the word whose effects are listed; `open({ index, target })`. */
export function Largest({ sweep, target, open }) {
  const isDone = Boolean(sweep?.isDone);
  const title = isDone ? `Largest effects on ${targetName(sweep.plan, target)}:` : '';
  const buttonOf = ({ index, effect }) => (
    <button type="button" class="quiet" onClick={() => open({ index, target })}>
      <bdi>{cellName(sweep.plan.cells[index])}</bdi>
      {` ${formatEffect(effect)}`}
    </button>
  );
  return (
    <>
      <p class="largest" role="status">
        {title}
      </p>
      {isDone && (
        <ol aria-label="Largest effects">
          {largest(sweep, target, shownLargest).map((one) => (
            <li key={one.index}>{buttonOf(one)}</li>
          ))}
        </ol>
      )}
    </>
  );
}
