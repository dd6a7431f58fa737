// The two sides of the window; an empty field is all.

import { NumberField } from './number_field.jsx';

const sides = { left: 'windowLeft', right: 'windowRight' };

export const WindowLine = ({ label, state, isOff, change }) => (
  <div class="line" role="group" aria-label={label}>
    <span class="name">{label}</span>
    {Object.entries(sides).map(([side, id]) => (
      <NumberField
        key={id}
        {...{ id, min: 0, step: 1, placeholder: 'all', isOff }}
        aria-label={`${label}, ${side}`}
        value={state[id]}
        take={(value) => (value === null || Number.isInteger(value)) && change({ [id]: value })}
      />
    ))}
  </div>
);
