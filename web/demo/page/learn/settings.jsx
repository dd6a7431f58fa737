// The settings of a run in mode "Learn": task, sizes, learning rate, seed, and the reader's own lines.

import { choices, isValid, ownSettings, writeSettings } from '../../learn_settings.js';
import { useRef } from '../component.jsx';
import { names, purposes } from './task_texts.js';

/** What is wrong with a field whose value is not valid. */
function problemOf(name, task) {
  if (name !== 'rate') return 'The seed must be a whole number from 0 to 4294967295.';
  return `The learning rate must be a number above 0; ${ownSettings(task).rate} suits this task.`;
}

/** `pairs`: lines of the task of that name; `refuse(problem)`: what is wrong with a field, or '' if that is mended. */
export function Settings({ settings, pairs, change, refuse }) {
  const invalid = useRef(''); // name of the invalid field
  const choose = (next) => change({ learn: writeSettings(next) });
  function set(name, value) {
    if (isValid(name, value)) {
      choose({ ...settings, [name]: value });
      if (invalid.current === name) refuse('');
      return;
    }
    invalid.current = name;
    refuse(problemOf(name, settings.task));
  }
  const shared = { settings, set };
  return (
    <div class="learn-setup">
      <div class="learn-settings">
        <div>
          <label for="learn-task">Task</label>
          <select
            id="learn-task"
            value={settings.task}
            onChange={({ currentTarget }) => choose(ownSettings(currentTarget.value))}
          >
            {Object.entries(names).map(([value, name]) => (
              <option value={value}>{name}</option>
            ))}
          </select>
        </div>
        <List name="layers" title="Layers" {...shared} />
        <List name="heads" title="Heads" {...shared} />
        <List name="width" title="Width" {...shared} />
        <Switch name="positions" title="Positions" {...shared} />
        <Switch name="divided" title="Scores ÷ √d" {...shared} />
        <Field name="rate" title="Learning rate" {...shared} />
        <Field name="seed" title="Seed" {...shared} />
      </div>
      <Purposes />
      <div class="learn-pairs" hidden={settings.task !== 'pairs'}>
        <label for="learn-pairs">Lines: what it reads = what it writes</label>
        <textarea
          id="learn-pairs"
          rows={6}
          spellcheck={false}
          dir="auto"
          value={pairs}
          onChange={({ currentTarget }) => change({ pairs: currentTarget.value })}
        />
      </div>
    </div>
  );
}

const List = ({ name, title, settings, set }) => (
  <div>
    <label for={`learn-${name}`}>{title}</label>
    <select
      id={`learn-${name}`}
      value={settings[name]}
      onChange={({ currentTarget }) => set(name, Number(currentTarget.value))}
    >
      {choices[name].map((value) => (
        <option value={value}>{String(value)}</option>
      ))}
    </select>
  </div>
);

const Switch = ({ name, title, settings, set }) => (
  <div>
    <label for={`learn-${name}`}>{title}</label>
    <input
      id={`learn-${name}`}
      type="checkbox"
      checked={settings[name] === 1}
      onChange={({ currentTarget }) => set(name, Number(currentTarget.checked))}
    />
  </div>
);

const numberOf = (text) => Number(text.trim().replace(',', '.') || NaN);
const Field = ({ name, title, settings, set }) => (
  <div>
    <label for={`learn-${name}`}>{title}</label>
    <input
      id={`learn-${name}`}
      inputmode="decimal"
      autocomplete="off"
      value={settings[name]}
      onChange={({ currentTarget }) => set(name, numberOf(currentTarget.value))}
    />
  </div>
);

const Purposes = () => (
  <details class="learn-purposes">
    <summary>What these are for</summary>
    <dl class="hint">
      {purposes.map(([name, purpose]) => (
        <div>
          <dt>{name}</dt>
          <dd>{purpose}</dd>
        </div>
      ))}
    </dl>
  </details>
);
