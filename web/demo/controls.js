// What can be changed: the texts, the kind of attention, the scale and two switches.

import { lexicalScale } from 'attention-wasm/text';
import { dim } from './attend.js';
import { formatScale } from './numbers.js';

const presets = {
  lexical: { scale: lexicalScale, says: 'Large enough for equal spellings to stand out.' },
  scaled: {
    scale: 1 / Math.sqrt(dim),
    says: `1/√${dim}, the Transformer’s own, is for long, trained vectors; these have length 1.`,
  },
  unscaled: { scale: 1, says: 'The dot product as it is: general attention.' },
};
const anyScale = 'Every comparison is multiplied by this before the softmax.';

/** `onChange(part)` gets the part of the state that somebody has changed. */
export function createControls(onChange) {
  const at = (id) => document.getElementById(id);
  const fields = ['reading', 'context'].map(at);
  const [slider, number, hint] = ['scale-slider', 'scale', 'scale-hint'].map(at);
  const radios = Array.from(document.querySelectorAll('[name="mode"]'));
  const buttons = Array.from(document.querySelectorAll('[data-preset]'));
  let inForce = '';

  for (const field of fields) {
    field.addEventListener('input', () => onChange({ [field.id]: field.value }));
  }
  for (const radio of radios) {
    radio.addEventListener('change', () => radio.checked && onChange({ mode: radio.value }));
  }
  for (const id of ['causal', 'positions']) {
    at(id).addEventListener('change', () => onChange({ [id]: at(id).checked }));
  }
  for (const button of buttons) {
    const { scale } = presets[button.dataset.preset];
    button.addEventListener('click', () => onChange({ scale }));
  }
  // The slider goes by powers of two.
  slider.addEventListener('input', () => {
    onChange({ scale: Number((2 ** slider.valueAsNumber).toPrecision(3)) });
  });
  number.addEventListener('input', () => {
    if (Number.isFinite(number.valueAsNumber)) onChange({ scale: number.valueAsNumber });
  });
  // What was left empty or half written goes back to what is in force.
  number.addEventListener('change', () => {
    number.value = inForce;
  });

  return {
    show(state, { spread, keys }) {
      const { mode, scale } = state;
      document.body.dataset.mode = mode; // what is for one mode only: style.css
      for (const radio of radios) radio.checked = radio.value === mode;
      for (const field of fields) {
        if (field.value !== state[field.id]) field.value = state[field.id];
      }
      at('causal').disabled = mode === 'cross';
      at('causal').checked = state.causal && mode === 'self';
      at('positions').checked = state.positions;

      inForce = formatScale(scale);
      if (document.activeElement !== number) number.value = inForce;
      if (document.activeElement !== slider) slider.value = Math.log2(Math.max(scale, 2 ** -4));
      slider.setAttribute('aria-valuetext', inForce);
      let says = anyScale;
      for (const button of buttons) {
        const preset = presets[button.dataset.preset];
        button.setAttribute('aria-pressed', String(preset.scale === scale));
        if (preset.scale === scale) says = preset.says;
      }
      const count = state.causal && mode === 'self' ? '' : `of ${keys.length} `;
      const now = spread ? `A word now looks at about ${spread.toFixed(1)} ${count}words.` : '';
      hint.textContent = `${says} ${now}`;
    },
  };
}
