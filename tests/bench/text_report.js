// A report of bench.js for the terminal.

import { circumstances, tablesOf } from './table_of_report.js';

function drawn({ title, head, rows, notes }) {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const draw = (line) =>
    line
      .map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[0])))
      .join('  ')
      .trimEnd();
  return [
    title,
    '',
    ...lines.map(draw),
    ...notes.map((note, at) => `${at ? '' : '\n'}[${at + 1}] ${note}`),
    '',
  ].join('\n');
}

export function textReport(report) {
  return [circumstances(report).join('\n'), '', ...tablesOf(report).map(drawn)].join('\n');
}
