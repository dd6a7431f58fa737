// A control with its explanation, and the reason why it has no effect.

import { Formula, FormulaText, useState } from '../component.jsx';
import { Choice } from './choice.jsx';
import { NumberLine } from './number_line.jsx';
import { Select } from './select.jsx';
import { PowerSlider, Slider } from './slider.jsx';
import { Switch } from './switch.jsx';
import { WindowLine } from './window_line.jsx';

const fields = {
  ...{ switch: Switch, choice: Choice, select: Select, number: NumberLine },
  ...{ range: Slider, power: PowerSlider, window: WindowLine },
};

/** `control` of control_list.js; `at`: { state, facts, picture, source }. */
export function Control({ control, at, change }) {
  const { id, label, type, says, formula } = control;
  const [isExplained, explain] = useState(false);
  const reason = at.facts?.overruled?.[id] ?? control.applies?.(at) ?? '';
  const isOff = reason !== '';
  const Field = fields[type];
  return (
    <div
      class={`control of-${type}${isOff ? ' not-now' : ''}`}
      data-control={id}
      hidden={control.shown ? !control.shown(at) : false}
    >
      <Field {...control} state={at.state} facts={at.facts} isOff={isOff} change={change} />
      <button
        type="button"
        class="explain"
        aria-expanded={isExplained}
        aria-controls={`${id}-more`}
        aria-label={`What is “${label}”?`}
        onClick={() => explain(!isExplained)}
      >
        ?
      </button>
      <div id={`${id}-more`} class="more" hidden={!isExplained}>
        <p class="hint" id={`${id}-says`}>
          <FormulaText text={says} /> <Formula text={formula} />
        </p>
        <p class="hint off" hidden={!isOff}>
          {reason}
        </p>
      </div>
    </div>
  );
}
