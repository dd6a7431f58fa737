// Makes the Markdown tables of RESULTS.md from the JSON of bench.js:
//
//   node tests/bench/results_tables.js [FOLDER]        default .build/bench

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { circumstances, tablesOf } from './table_of_report.js';

function drawn({ title, head, rows, notes }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    `${title[0].toUpperCase()}${title.slice(1)}:`,
    '',
    line(head),
    `| --- |${' ---: |'.repeat(head.length - 1)}`,
    ...rows.map(line),
    ...(notes.length > 0 ? ['', ...notes.map((note, at) => `[${at + 1}] ${note}  `)] : []),
    '',
  ].join('\n');
}

const folder = process.argv[2] ?? fileURLToPath(new URL('../../.build/bench', import.meta.url));
const files = ['node.json', 'chromium.json']
  .map((name) => join(folder, name))
  .filter((path) => existsSync(path));
if (files.length === 0) {
  console.error('Nothing has been measured yet: npm run bench in tests/bench');
  process.exitCode = 1;
}
for (const file of files) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  console.log([...circumstances(report).map((line) => `${line}  `), ''].join('\n'));
  for (const table of tablesOf(report)) console.log(drawn(table));
}
