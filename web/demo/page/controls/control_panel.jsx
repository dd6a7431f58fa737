// Panel of the controls in control_list.js, in their groups.

import { Control } from './control.jsx';
import { initialState } from '../../state_fields.js';
import { controls, fieldsOfControls } from './control_list.js';

/** The first control of a group has its name. */
const starts = controls.flatMap(({ group }, at) => (group ? [at] : []));
const groups = starts.map((start, at) => controls.slice(start, starts[at + 1]));

const defaults = Object.fromEntries(fieldsOfControls.map((name) => [name, initialState[name]]));

/** `at`: { state, facts, picture, source }; `change` as in actions.js. */
export const ControlPanel = ({ at, change }) => (
  <>
    {groups.map((list) => (
      <div key={list[0].group} class="group">
        <h3>{list[0].group}</h3>
        {list.map((control) => (
          <Control key={control.id} control={control} at={at} change={change} />
        ))}
      </div>
    ))}
    <button type="button" class="quiet reset" onClick={() => change(defaults)}>
      Reset the settings
    </button>
  </>
);
