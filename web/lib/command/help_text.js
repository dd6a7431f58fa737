// The --help text of a command, from its table.

import { wrap } from './terminal_text.js';

const width = 80;
const column = 22; // of the texts of options

/** @param {import('./shell_options.js').Table} table */
export function helpText({ usage, about, groups, examples }) {
  const blocks = [
    usage.map((line, n) => `${n === 0 ? 'Usage:' : '      '} ${line}`),
    ...about.map((paragraph) => wrap(paragraph, width)),
    ...groups.map(({ title, rows = [], options = {} }) => [
      ...wrap(title, width),
      ...rows.flatMap(([name, text]) => entry(`  ${name}`, text)),
      ...Object.entries(options).flatMap(([name, option]) =>
        entry(optionName(name, option), textOf(option)),
      ),
    ]),
    ['Examples:', ...examples.flatMap(example)],
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

/** @type {(name: string, option: import('./shell_options.js').Option) => string} */
const optionName = (name, { short, value }) =>
  `  ${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`;

/** @type {(option: import('./shell_options.js').Option) => string} */
const textOf = ({ text, default: value }) =>
  value === undefined ? text : `${text} (default ${value})`;

/** A name and its text in two columns; a long name has a line of its own. */
function entry(name, text) {
  const lines = wrap(text, width - column);
  const hasRoom = name.length < column;
  const [first, ...others] = hasRoom ? lines : ['', ...lines];
  const margin = ' '.repeat(column);
  return [`${name.padEnd(column)}${first}`.trimEnd(), ...others.map((line) => margin + line)];
}

function example(line) {
  const [first, ...others] = line.length <= width - 2 ? [line] : wrap(line, width - 4);
  return [`  ${first}`, ...others.map((more) => `    ${more}`)];
}
