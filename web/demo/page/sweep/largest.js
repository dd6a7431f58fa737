// The largest effects, as buttons that show their heads or words in the view.

import { largest } from '../../state/effects.js';
import { h } from '../component.js';
import { cellName, formatEffect, targetName } from './sweep_map.js';

const shownLargest = 3;

/** `target`: index of the word whose effects are listed; `open({ index, target })`. */
export function Largest({ sweep, target, open }) {
  const isDone = Boolean(sweep?.isDone);
  const title = isDone ? `Largest effects on ${targetName(sweep.plan, target)}:` : '';
  const buttonOf = ({ index, effect }) =>
    h(
      'button',
      { type: 'button', class: 'quiet', onClick: () => open({ index, target }) },
      h('bdi', null, cellName(sweep.plan.cells[index])),
      ` ${formatEffect(effect)}`,
    );
  return [
    h('p', { class: 'largest', role: 'status' }, title),
    isDone &&
      h(
        'ol',
        { 'aria-label': 'Largest effects' },
        largest(sweep, target, shownLargest).map((one) =>
          h('li', { key: one.index }, buttonOf(one)),
        ),
      ),
  ];
}
