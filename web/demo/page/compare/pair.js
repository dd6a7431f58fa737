// The numbers of the picture, of the one beside it, and the second less the first.

import { valuesOf } from '../views/head_of_picture.js';

/** Three of { stage, values, hidden }; in the last, what either may not see is 0 and hidden. */
export function pairOf(picture, { head }, { stage: asked }) {
  const { beside } = picture;
  const stage = asked === 'difference' ? 'weights' : asked;
  const own = valuesOf(picture, stage, head);
  const other = valuesOf({ ...picture, stages: beside.stages }, stage, beside.head);
  const hidden = own.map((value, at) => Number(value === -Infinity || other[at] === -Infinity));
  const difference = own.map((value, at) => (hidden[at] === 1 ? 0 : other[at] - value));
  return [
    { stage, values: own, hidden: picture.hidden },
    { stage, values: other, hidden: beside.hidden },
    { stage: 'difference', values: difference, hidden: hidden.some(Boolean) ? hidden : null },
  ];
}
