// A setting that is a number.

import { NumberField } from './number_field.jsx';

export const NumberLine = ({ id, label, min, max, step, state, isOff, change }) => (
  <div class="line">
    <label for={id}>{label}</label>
    <NumberField
      {...{ id, min, max, step, isOff }}
      value={state[id]}
      take={(value) => value !== null && change({ [id]: value })}
    />
  </div>
);
