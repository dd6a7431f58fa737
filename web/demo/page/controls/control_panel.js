// Panel of the controls in control_list.js, bound to the state.

import { formatEnd } from 'attention-wasm/heatmap';
import { element, formula, write, writeFormula } from '../element.js';
import { controls } from './control_list.js';

/** `change(part of the state)` is called for every setting. */
export function createControls(root, change) {
  const made = controls.map((control) => {
    const field = types[control.type](control, change);
    const why = element('p', { class: 'hint', id: `${control.id}-says` });
    writeFormula(why, control.says);
    why.append(' ', formula(control.formula));
    const off = element('p', { class: 'hint off', hidden: true });
    const explain = element(
      'button',
      {
        type: 'button',
        class: 'explain',
        'aria-expanded': 'false',
        'aria-controls': `${control.id}-more`,
        'aria-label': `What is “${control.label}”?`,
        click() {
          const open = more.hidden;
          more.hidden = !open;
          explain.setAttribute('aria-expanded', String(open));
        },
      },
      '?',
    );
    const more = element(
      'div',
      { id: `${control.id}-more`, class: 'more', hidden: true },
      why,
      off,
    );
    const row = element(
      'div',
      { class: `control of-${control.type}`, 'data-control': control.id },
      field.element,
      explain,
      more,
    );
    return { control, field, row, off };
  });

  let group = null;
  for (const { control, row } of made) {
    if (control.group) {
      group = element('div', { class: 'group' }, element('h3', {}, control.group));
      root.append(group);
    }
    group.append(row);
  }

  return {
    /** `at`: { state, facts, picture, source } */
    show(at) {
      for (const { control, field, row, off } of made) {
        row.hidden = control.shown ? !control.shown(at) : false;
        const reason = at.facts?.overruled?.[control.id] ?? control.applies?.(at) ?? '';
        row.classList.toggle('not-now', reason !== '');
        off.hidden = reason === '';
        write(off, reason);
        field.show(at.state, reason !== '', at);
      }
    },
  };
}

const isActive = (field) => document.activeElement === field;

const types = {
  switch({ id, label }, change) {
    const input = element('input', {
      type: 'checkbox',
      role: 'switch',
      id,
      change: () => change({ [id]: input.checked }),
    });
    return {
      element: element('label', { class: 'switch', for: id }, element('span', {}, label), input),
      show(state, off, { facts }) {
        const value = state[id] ?? facts?.causal ?? false;
        input.checked = value && !off;
        input.disabled = off;
      },
    };
  },

  choice({ id, label, choices }, change) {
    const inputs = choices.map(([value, name]) => {
      const input = element('input', {
        type: 'radio',
        name: id,
        value,
        change: () => input.checked && change({ [id]: value }),
      });
      return [value, input, element('label', {}, input, element('span', {}, name))];
    });
    return {
      element: element(
        'fieldset',
        { class: 'segments' },
        element('legend', {}, label),
        inputs.map(([, , wrapped]) => wrapped),
      ),
      show(state, off) {
        for (const [value, input] of inputs) {
          input.checked = state[id] === value;
          input.disabled = off;
        }
      },
    };
  },

  select({ id, label, choices }, change) {
    const select = element(
      'select',
      { id, change: () => change({ [id]: select.value }) },
      choices.map(([value, name]) => element('option', { value }, name)),
    );
    return {
      element: element('div', { class: 'line' }, element('label', { for: id }, label), select),
      show(state, off) {
        select.value = state[id];
        select.disabled = off;
      },
    };
  },

  number({ id, label, min, max, step }, change) {
    const input = numberInput(id, { min, max, step }, (value) => {
      if (value !== null) change({ [id]: value });
    });
    return {
      element: element(
        'div',
        { class: 'line' },
        element('label', { for: id }, label),
        input.element,
      ),
      show(state, off) {
        input.show(state[id], off);
      },
    };
  },

  range({ id, label, min, max, step }, change) {
    const input = element('input', {
      type: 'range',
      id,
      min,
      max,
      step,
      input: () => change({ [id]: input.valueAsNumber }),
    });
    const says = element('output', { for: id });
    return {
      element: element('div', { class: 'line' }, element('label', { for: id }, label), input, says),
      show(state, off) {
        if (!isActive(input)) input.value = state[id];
        input.disabled = off;
        write(says, state[id].toFixed(2));
      },
    };
  },

  // Slider with a logarithmic scale (powers of two).
  power({ id, label, min, max }, change) {
    const input = element('input', {
      type: 'range',
      id,
      min,
      max,
      step: 0.01,
      input: () => change({ [id]: Number((2 ** input.valueAsNumber).toPrecision(3)) }),
    });
    const says = element('output', { for: id });
    return {
      element: element('div', { class: 'line' }, element('label', { for: id }, label), input, says),
      show(state, off) {
        input.disabled = off;
        if (!isActive(input)) input.value = Math.log2(state[id]);
        input.setAttribute('aria-valuetext', formatEnd(state[id]));
        write(says, formatEnd(state[id]));
      },
    };
  },

  window({ label }, change) {
    const sides = ['windowLeft', 'windowRight'].map((id, at) => {
      const side = ['left', 'right'][at];
      const input = numberInput(
        id,
        { min: 0, step: 1, placeholder: 'all', 'aria-label': `${label}, ${side}` },
        (value) => {
          if (value === null || Number.isInteger(value)) change({ [id]: value });
        },
      );
      return { id, input };
    });
    return {
      element: element(
        'div',
        { class: 'line', role: 'group', 'aria-label': label },
        element('span', { class: 'name' }, label),
        sides.map(({ input }) => input.element),
      ),
      show(state, off) {
        for (const { id, input } of sides) input.show(state[id], off);
      },
    };
  },
};

// An incomplete or invalid entry is replaced by the current value.
function numberInput(id, attributes, onValue) {
  let inForce = '';
  const input = element('input', {
    type: 'number',
    id,
    inputmode: 'decimal',
    ...attributes,
    input() {
      if (input.value === '' && !input.validity.badInput) onValue(null);
      else if (input.validity.valid) onValue(input.valueAsNumber);
    },
    change() {
      input.value = inForce;
    },
  });
  return {
    element: input,
    show(value, off) {
      inForce = value === null ? '' : String(value);
      if (!isActive(input)) input.value = inForce;
      input.disabled = off;
    },
  };
}
