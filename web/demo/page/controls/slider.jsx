// Sliders: of a number, and of a power of two.

import { formatEnd } from 'attention-wasm/heatmap';
import { useInForce } from './in_force_value.js';

export const Slider = ({ id, label, min, max, step, state, isOff, change }) => (
  <SliderLine
    {...{ id, label, min, max, step, isOff }}
    value={state[id]}
    text={state[id].toFixed(2)}
    take={(value) => change({ [id]: value })}
  />
);

export const PowerSlider = ({ id, label, min, max, state, isOff, change }) => (
  <SliderLine
    {...{ id, label, min, max, step: 0.01, isOff }}
    value={Math.log2(state[id])}
    text={formatEnd(state[id])}
    isSpoken
    take={(value) => change({ [id]: Number((2 ** value).toPrecision(3)) })}
  />
);

/** `isSpoken`: the text is read out in place of the value. */
function SliderLine({ value, text, isSpoken = false, take, ...slider }) {
  const { id, label, min, max, step, isOff } = slider;
  const field = useInForce(String(value));
  return (
    <div class="line">
      <label for={id}>{label}</label>
      <input
        type="range"
        {...{ id, min, max, step }}
        disabled={isOff}
        aria-valuetext={isSpoken ? text : undefined}
        ref={field}
        onInput={({ currentTarget }) => take(currentTarget.valueAsNumber)}
      />
      <output for={id}>{text}</output>
    </div>
  );
}
