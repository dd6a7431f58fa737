// Settings of a training run and their text in a link: the task, then those that differ from its own, as in
// "sort layers 1 seed 7". A link with the same text is the same run, bit by bit.

import { tasks } from '../tasks/tasks.js';

/** Numbers that the reader can choose. */
export const choices = { layers: [1, 2, 3, 4], heads: [1, 2, 4, 8], width: [16, 32, 48, 64, 96] };

const isSeed = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32;
const isSwitch = (value) => value === 0 || value === 1;
const isRate = (value) => value > 0 && value < Infinity;
const rules = {
  __proto__: null,
  ...Object.fromEntries(
    Object.entries(choices).map(([name, list]) => [name, (value) => list.includes(value)]),
  ),
  positions: isSwitch,
  divided: isSwitch,
  rate: isRate,
  seed: isSeed,
};

/** Settings of a task that the reader has not changed. */
export function ownSettings(task) {
  // The reader's own pairs of lines are learned by the model that reverses.
  const { sizes, learningRate } = tasks[task === 'pairs' ? 'reverse' : task];
  const { layers, heads, width } = sizes;
  const switches = { positions: 1, divided: 1 };
  return { task, layers, heads, width, ...switches, rate: learningRate, seed: 1 };
}

export const isValid = (name, value) => rules[name](value);

/** Settings from the text of a link; unknown or invalid ones take the task's defaults. */
export function readSettings(text) {
  const [task, ...pairs] = text.split(' ');
  const settings = ownSettings(task in tasks || task === 'pairs' ? task : 'reverse');
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [name, value] = [pairs[at], Number(pairs[at + 1])];
    if (name in rules && isValid(name, value)) settings[name] = value;
  }
  return settings;
}

/** '' for the first task with its own settings. */
export function writeSettings(settings) {
  const own = ownSettings(settings.task);
  const changed = Object.keys(rules).filter((name) => settings[name] !== own[name]);
  const text = [settings.task, ...changed.map((name) => `${name} ${settings[name]}`)].join(' ');
  return text === 'reverse' ? '' : text;
}
