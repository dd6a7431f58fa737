// The settings of a run in mode "Learn": task, sizes, learning rate, seed, and the reader's own lines.
import { choices, isValid, ownSettings } from '../../learn_settings.js';
import { element, write } from '../element.js';
import { names, purposes, says } from './task_texts.js';

/** What is wrong with a field whose value is not valid. */
function problemOf(name, task) {
  if (name !== 'rate') return 'The seed must be a whole number from 0 to 4294967295.';
  return `The learning rate must be a number above 0; ${ownSettings(task).rate} suits this task.`;
}

const labeled = (control, name) =>
  element('div', {}, element('label', { for: control.id }, name), control);

const purposeList = () =>
  element(
    'details',
    { class: 'learn-purposes' },
    element('summary', {}, 'What these are for'),
    element(
      'dl',
      { class: 'hint' },
      purposes.map(([name, purpose]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, purpose)),
      ),
    ),
  );

/** The controls of the settings by name. set(name, value): the reader changed one. */
function createControls(set) {
  const list = (name) =>
    element(
      'select',
      { id: `learn-${name}`, change: ({ target }) => set(name, Number(target.value)) },
      choices[name].map((value) => element('option', { value }, String(value))),
    );
  const field = (name) =>
    element('input', {
      id: `learn-${name}`,
      inputmode: 'decimal',
      autocomplete: 'off',
      change: ({ target }) => set(name, Number(target.value.trim().replace(',', '.') || NaN)),
    });
  const checkbox = (name) =>
    element('input', {
      id: `learn-${name}`,
      type: 'checkbox',
      change: ({ target }) => set(name, Number(target.checked)),
    });
  return {
    lists: { layers: list('layers'), heads: list('heads'), width: list('width') },
    switches: { positions: checkbox('positions'), divided: checkbox('divided') },
    fields: { rate: field('rate'), seed: field('seed') },
  };
}

/**
 * choose(settings): the reader's choice; say(problem): what is wrong with a field, or '' if that is mended;
 * changeLines(text): the lines of the task "pairs".
 */
export function createSettingsForm({ choose, say, changeLines }) {
  let settings = null;
  let invalid = null; // name of the invalid field

  function set(name, value) {
    if (isValid(name, value)) {
      choose({ ...settings, [name]: value });
      if (invalid === name) say('');
      return;
    }
    invalid = name;
    say(problemOf(name, settings.task));
  }

  const task = element(
    'select',
    { id: 'learn-task', change: () => choose(ownSettings(task.value)) },
    Object.entries(names).map(([value, name]) => element('option', { value }, name)),
  );
  const { lists, switches, fields } = createControls(set);
  const about = element('p', { class: 'learn-about' });
  const lines = element('textarea', {
    id: 'learn-pairs',
    rows: 6,
    spellcheck: 'false',
    dir: 'auto',
    change: () => changeLines(lines.value),
  });
  const linesField = element(
    'div',
    { class: 'learn-pairs' },
    element('label', { for: lines.id }, 'Lines: what it reads = what it writes'),
    lines,
  );

  return {
    elements: [
      element(
        'div',
        { class: 'learn-settings' },
        labeled(task, 'Task'),
        labeled(lists.layers, 'Layers'),
        labeled(lists.heads, 'Heads'),
        labeled(lists.width, 'Width'),
        labeled(switches.positions, 'Positions'),
        labeled(switches.divided, 'Scores ÷ √d'),
        labeled(fields.rate, 'Learning rate'),
        labeled(fields.seed, 'Seed'),
      ),
      purposeList(),
      about,
      linesField,
    ],

    show(now, pairs) {
      settings = now;
      task.value = settings.task;
      for (const [name, one] of Object.entries(switches)) one.checked = settings[name] === 1;
      for (const [name, one] of Object.entries({ ...lists, ...fields })) one.value = settings[name];
      write(about, says[settings.task]);
      linesField.hidden = settings.task !== 'pairs';
      lines.value = pairs;
    },
  };
}
