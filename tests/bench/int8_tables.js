// Writes the tables of RESULTS.md for models with int8 weights, between the marks of that file, from the JSON of
// int8_models.js:
//
//   node tests/bench/int8_tables.js [FOLDER]        default .build/bench
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = process.argv[2] ?? here('../../.build/bench');
const results = here('RESULTS.md');
const [begin, end] = ['<!-- int8_tables.js -->\n', '<!-- end of int8_tables.js -->\n'];

const percent = (error) => (error === undefined ? '' : `${(100 * error).toPrecision(2)} %`);
const ms = (number) =>
  number < 1000 ? number.toPrecision(3) : Math.round(number).toLocaleString('en');
const line = (cells) => `| ${cells.join(' | ')} |`;

function tableOf({ what, rows, errors = {} }) {
  const cells = rows.map(({ name, own, ms: times }) => {
    const baseline = rows.find((row) => row.name === own)?.ms;
    const ratio = (of) => (baseline ? `${(times[of] / baseline[of]).toFixed(2)}×` : '');
    const { float64, float32 } = errors[name] ?? {};
    const both = ['min', 'median'].flatMap((of) => [ms(times[of]), ratio(of)]);
    return [name, ...both, percent(float64), percent(float32)];
  });
  const head = [what, 'ms', 'ratio', 'median', 'ratio', 'to float64', 'to float32'];
  // Columns without a number, as those of errors in a browser, are left out.
  const shown = head.map((_, at) => cells.some((row) => row[at] !== ''));
  const of = (row) => line(row.filter((_, at) => shown[at]));
  const rule = of(head.map((_, at) => (at === 0 ? '---' : '---:')));
  return [of(head), rule, ...cells.map(of), ''];
}

const files = ['int8_node.json', 'int8_chromium.json']
  .map((name) => join(folder, name))
  .filter((path) => existsSync(path));
if (files.length === 0) throw new Error('nothing has been measured yet: node int8_models.js');
const text = files
  .map((path) => JSON.parse(readFileSync(path, 'utf8')))
  .flatMap(({ circumstances, tables }) => [
    circumstances.join(', '),
    '',
    ...tables.flatMap(tableOf),
  ])
  .join('\n');
const old = readFileSync(results, 'utf8');
const [from, to] = [old.indexOf(begin), old.indexOf(end)];
if (from < 0 || to < from) throw new Error(`RESULTS.md has no lines ${begin}and ${end}`);
const page = `${old.slice(0, from)}${begin}\n${text}\n${old.slice(to)}`;
writeFileSync(
  results,
  await format(page, { ...(await resolveConfig(results)), filepath: results }),
);
