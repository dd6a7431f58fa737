// Measured cost of softmax, linear and efficient attention at the length of the text and at greater ones. A worker of
// its own measures while nothing is typed.

import { element, write } from '../element.js';
import { createCurve, kinds } from './curve.js';
import './cost.css';

const lengths = [16, 32, 64, 128, 256, 512, 1024, 2048];
const typingPause = 600; // ms since the last key press
const maxCallMs = 120; // longer texts are not measured

/** Fills `root`. */
export function createCost(root) {
  const curve = createCurve();
  const cells = new Map(kinds.map(([kind]) => [kind, [element('td'), element('td')]]));
  const heads = [element('th', { scope: 'col' }), element('th', { scope: 'col' })];
  const table = element(
    'table',
    {},
    element('caption', {}, 'Milliseconds of a call, by tokens'),
    element('thead', {}, element('tr', {}, element('td'), heads)),
    element(
      'tbody',
      {},
      kinds.map(([kind, name]) => {
        const swatch = element('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' });
        return element('tr', {}, element('th', { scope: 'row' }, swatch, name), cells.get(kind));
      }),
    ),
  );
  const verdict = element('p', { role: 'status' });
  const how = element('p', { class: 'hint' });
  const again = element('button', { type: 'button', click: start }, 'Measure again');
  root.append(curve.element, table, verdict, how, again);

  const measure = createMeasuring();
  let points = new Map(); // length → { softmax, linear, efficient } in ms
  let subject = null; // { length, dim } of the current picture
  let changed = 0; // time of the last key press
  let isMeasuring = false;

  function start() {
    points = new Map();
    measureAll();
  }

  /** Measures the length of the text first, then the others, while the section is expanded. */
  async function measureAll() {
    if (isMeasuring) return;
    isMeasuring = true;
    again.disabled = true;
    draw();
    while (root.open && nextLength() !== null) {
      await stillness();
      const [length, { dim }] = [nextLength(), subject];
      if (length === null) break;
      const costs = await measure({ length, dim });
      if (dim !== subject.dim) continue;
      points.set(length, Object.fromEntries(costs.map((one) => [one.kind, one.milliseconds])));
      draw();
    }
    isMeasuring = false;
    again.disabled = false;
    draw();
  }

  function nextLength() {
    if (!points.has(subject.length)) return subject.length;
    const limit = lengths.find((one) => points.get(one)?.softmax > maxCallMs) ?? Infinity;
    return lengths.find((one) => one < limit && !points.has(one)) ?? null;
  }

  async function stillness() {
    while (performance.now() - changed < typingPause) {
      await new Promise((resolve) => setTimeout(resolve, typingPause / 4));
    }
  }

  function draw() {
    const { length, dim } = subject;
    const known = Array.from(points).sort(([a], [b]) => a - b);
    const last = known.at(-1)?.[0] ?? length;
    curve.show(known, length);
    [length, last].forEach((at, column) => {
      write(heads[column], `at ${at}`);
      for (const [kind] of kinds)
        write(cells.get(kind)[column], milliseconds(points.get(at)?.[kind]));
    });
    write(verdict, isMeasuring ? 'Measuring …' : verdictOf(known));
    write(
      how,
      `Measured in this browser, on one thread: a call of the library for one head of size ${dim}, no weights kept; median of 5 rounds.`,
    );
  }

  return {
    /** A changed length is measured too, after a pause in typing. */
    show({ facts }) {
      if (!facts || !root.open) return;
      const next = { length: Math.max(...facts.counts), dim: facts.keyDim };
      const isOther = next.length !== subject?.length || next.dim !== subject.dim;
      if (next.dim !== subject?.dim) points = new Map();
      if (isOther) [subject, changed] = [next, performance.now()];
      if (isOther) draw();
      if (nextLength() !== null) measureAll();
    },
  };
}

/** Measures one length after the other in a worker of its own. */
function createMeasuring() {
  const worker = new Worker(new URL('../../worker/worker.js', import.meta.url), { type: 'module' });
  const waiting = new Map();
  let last = 0;
  worker.addEventListener('message', ({ data }) => {
    if (data.type !== 'measured') return;
    waiting.get(data.id)?.(data.costs);
    waiting.delete(data.id);
  });
  return (subject) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      worker.postMessage({ type: 'measure', id: last, ...subject });
    });
}

const milliseconds = (value) => {
  if (value === undefined) return '…';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2);
};

/** Smallest measured length from which on linear attention is faster. */
function verdictOf(known) {
  const slower = known.findLastIndex(([, { softmax, linear }]) => softmax <= linear);
  if (slower === known.length - 1) return 'Softmax takes less time at all lengths measured here.';
  const [from, { softmax, linear }] = known[slower + 1];
  const times = (softmax / linear).toFixed(1);
  const [most, atMost] = known.at(-1);
  const timesAtMost = (atMost.softmax / atMost.linear).toFixed(1);
  return from === most
    ? `Linear attention is faster from ${from} tokens on: ${times} times there.`
    : `Linear attention is faster from ${from} tokens on: ${times} times there, ${timesAtMost} times at ${most}.`;
}
