// Step: time of softmax attention, which grows with the square of the length, beside that of linear attention. Measured
// in the reader's browser, once per visit.

import { element, write } from '../../element.js';
import { createCostCurve } from '../parts/cost_curve.js';
import { createNumberTable } from '../parts/number_table.js';

const lengths = [16, 64, 256, 1024];
const growth = lengths[1] / lengths[0];
const dim = 64;
const kinds = ['softmax', 'linear'];
const known = new Map(); // length → { softmax, linear } in milliseconds
let measuring = null; // resolves when all lengths are measured

const attempts = 10;
const pause = () => new Promise((resolve) => setTimeout(resolve, 500));

/** Measures one length after the other, again where the worker was replaced meanwhile. */
async function measureAll(ask, draw) {
  for (let attempt = 0; attempt < attempts && known.size < lengths.length; attempt++) {
    if (attempt > 0) await pause();
    try {
      for (const length of lengths) {
        if (!known.has(length)) known.set(length, await ask({ about: 'cost', length, dim }));
        draw();
      }
    } catch {
      // The worker was replaced.
    }
  }
}

export const cost = {
  id: 'cost',
  name: 'cost',
  title: 'What it costs',
  formula: 'n^2 · d  or  n · d^2',
  withoutModel: true,
  says: () => [
    `Every word looks at every word: n words have n × n weights. A text that is ${growth} times as long takes ${growth ** 2} times the work.`,
    'Linear attention leaves out the softmax. It adds up the products of keys and values once, and every query reads the sum: the work grows like the text. It gains speed in long texts, and cannot pick out single words as sharply.',
    'That is all there is to attention: now try it on words of your own.',
  ],

  build({ ask, pick }) {
    const curve = createCostCurve();
    const table = createNumberTable({
      ...{ name: 'costs', label: 'Milliseconds of a call', columns: kinds },
      rows: lengths.map(String),
      format: milliseconds,
      pick: (row, column) => pick({ at: { row, column } }),
    });
    const status = element('p', { class: 'hint', role: 'status' });
    measuring ??= measureAll(ask, () => pick({})).finally(() => (measuring = null));
    return {
      elements: [
        element('figure', {}, caption('milliseconds of a call, by words'), table.element, status),
        element('figure', {}, caption('the same, both axes logarithmic'), curve.element),
      ],
      show({ at }, palette) {
        const { row, column } = at ?? { row: lengths.length - 1, column: 0 };
        const times = lengths.map((length) => known.get(length));
        table.show({
          data: times.flatMap((one) => kinds.map((kind) => one?.[kind])),
          at: { row, column },
          shadeOf: () => palette.plain,
        });
        curve.show(Array.from(known));
        const isDone = known.size === lengths.length;
        write(
          status,
          isDone
            ? `Measured in this browser: one head of size ${dim}, on one thread.`
            : 'Measuring …',
        );
        return isDone ? { lines: spell(row, kinds[column]) } : null;
      },
    };
  },
};

const caption = (text) => element('figcaption', {}, text);

const milliseconds = (time) => {
  if (time === undefined) return '…';
  return time >= 100 ? time.toFixed(0) : time.toPrecision(2);
};

/** Products of a call, and its time beside that of the length before. */
function spell(row, kind) {
  const [length, time] = [lengths[row], known.get(lengths[row])[kind]];
  const isSquare = kind === 'softmax';
  const products = 2 * length * dim * (isSquare ? length : dim);
  const factors = isSquare ? `${length} × ${length} × ${dim}` : `${length} × ${dim} × ${dim}`;
  const lines = [
    `${kind}, ${length} words: 2 × ${factors} = ${products.toLocaleString('en')} products in ${milliseconds(time)} ms`,
  ];
  if (row === 0) return lines;
  const before = known.get(lengths[row - 1])[kind];
  const [wanted, times] = [isSquare ? growth ** 2 : growth, (time / before).toFixed(1)];
  return [
    ...lines,
    `${growth} times as many words as ${lengths[row - 1]}: ${wanted} times the products, ${times} times the time`,
  ];
}
