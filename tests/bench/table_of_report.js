// A report of bench.js as tables of text: { title, head, rows, notes }.

import { bytesInAndOut } from './shapes.js';

const digits = (number, count) =>
  number >= 10 ** (count - 1) ? Math.round(number).toLocaleString('en') : number.toPrecision(count);
const ms = (number) => digits(number, 3);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const kilobytes = (bytes) => `${digits(bytes / 1000, 3)} kB`;

/** Footnotes for missing results; equal reasons share a number. */
function notebook() {
  const notes = [];
  const mark = (text) => {
    if (!notes.includes(text)) notes.push(text);
    return `– [${notes.indexOf(text) + 1}]`;
  };
  return { notes, mark };
}

const tooLong = /^not run/; // contenders that were not run have one note, without a name
const reasonOf = ({ name, reason }) => (tooLong.test(reason) ? reason : `${name}: ${reason}`);

/** Names in the order of first appearance. */
const namesIn = (entries) => [...new Set(entries.map(({ name }) => name))];

/** Shapes: the first contender in full, the others in ms and as ratios to it. */
export function speedTable({ results, peak }) {
  const { notes, mark } = notebook();
  const [first, ...others] = namesIn(results.flatMap(({ contenders }) => contenders));
  const rows = results.map(({ shape, contenders }) => {
    const find = (name) => contenders.find((contender) => contender.name === name);
    const own = find(first);
    const cells = others.map((name) => {
      const other = find(name);
      if (other.reason) return mark(reasonOf(other));
      return own.ms
        ? `${ms(other.ms.min)} (${(other.ms.min / own.ms.min).toFixed(2)}×)`
        : ms(other.ms.min);
    });
    if (!own.ms) return [shape.id, mark(reasonOf(own)), '', '', '', ...cells];
    const share = `${Math.round((100 * own.gflops) / peak)} %`;
    return [shape.id, ms(own.ms.min), ms(own.ms.median), own.gflops.toFixed(1), share, ...cells];
  });
  return {
    title: `milliseconds, the minimum of many runs; in brackets, how many times as long as ${first}`,
    head: ['shape', first, 'median', 'GFLOP/s', 'of peak', ...others],
    rows,
    notes,
  };
}

/** Cold starts and download sizes. */
export function startTable({ coldStarts }) {
  const { notes, mark } = notebook();
  const weighed = coldStarts.some(({ weight }) => weight);
  const rows = coldStarts.map(({ name, ms: time, weight, reason }) => [
    name,
    ...(time ? [ms(time.min), ms(time.median)] : [mark(reasonOf({ name, reason })), '']),
    ...(weighed ? [weight ? kilobytes(weight.raw) : '', weight ? kilobytes(weight.gzip) : ''] : []),
  ]);
  return {
    title: 'cold start, from import to the first result',
    head: ['', 'ms', 'median', ...(weighed ? ['download', 'gzipped'] : [])],
    rows,
    notes,
  };
}

/** Memory growth of a new process, beside the bytes of inputs and outputs. The growth excludes the inputs. */
export function memoryTable({ memory }) {
  const { notes, mark } = notebook();
  const names = namesIn(memory);
  const ids = [...new Set(memory.map(({ shape }) => shape.id))];
  const rows = ids.map((id) => {
    const entries = memory.filter(({ shape }) => shape.id === id);
    const cells = names.map((name) => {
      const entry = entries.find((one) => one.name === name);
      if (!entry) return '';
      return entry.reason ? mark(reasonOf(entry)) : megabytes(entry.bytes);
    });
    const own = entries.find((entry) => entry.own)?.own;
    return [id, megabytes(bytesInAndOut(entries[0].shape)), own ? megabytes(own) : '', ...cells];
  });
  return {
    title: 'memory: how far a fresh process grows by loading and one call',
    head: ['shape', 'in and out', "attention-wasm's module", ...names],
    rows,
    notes,
  };
}

/** All tables of a report. */
export function tablesOf(report) {
  return [
    speedTable(report),
    ...(report.coldStarts ? [startTable(report)] : []),
    ...(report.memory ? [memoryTable(report)] : []),
  ];
}

/** Machine, date and versions. */
export function circumstances({ runtime, date, machine, versions, peak, remarks, quick }) {
  const { cpu, cores, memory, system } = machine;
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `${runtime}, ${cpu}, ${cores} cores, ${Math.round(memory / 2 ** 30)} GiB, ${system}, ${date}`,
    packages.join(', '),
    `Peak: ${peak.toFixed(1)} GFLOP/s, multiply-add in WebAssembly SIMD128 on one core in the same run. ` +
      'Operations: 4·heads·queries·keys·dim, also for causal attention, half of which is masked, and 8·rows·width² for a layer.',
    ...(remarks.length > 0 ? [`${remarks.join('; ')}.`] : []),
    ...(quick ? ['A quick run: a look, not a measurement.'] : []),
  ];
}
