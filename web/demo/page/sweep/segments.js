// A choice of one among a few values, as a row of segments.

import { h } from '../component.js';

/** `values`: [[value, text]]. */
export const Segments = ({ name, title, value, values, choose }) =>
  h(
    'fieldset',
    { class: 'segments' },
    h('legend', { class: 'unseen' }, title),
    values.map(([one, text]) =>
      h(
        'label',
        { key: one },
        h('input', {
          ...{ type: 'radio', name, value: one, checked: one === value },
          onChange: () => choose(one),
        }),
        h('span', null, text),
      ),
    ),
  );
