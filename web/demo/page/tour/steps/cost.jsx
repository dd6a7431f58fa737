// Step: time of softmax attention, which grows with the square of the length, beside that of linear attention. Measured
// in the reader's browser, once per visit.

import { costs } from '../../../state/tour.js';
import { CostCurve } from '../parts/cost_curve.jsx';
import { NumberTable } from '../parts/number_table.jsx';

const { lengths, dim } = costs;
const growth = lengths[1] / lengths[0];
const kinds = ['softmax', 'linear'];

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const cost = {
  id: 'cost',
  title: 'What it costs',
  formula: 'n^2 · d  or  n · d^2',
  withoutModel: true,
  says: () => [
    `Every word looks at every word: n words have n × n weights. A text that is ${growth} times as long takes ${growth ** 2} times the work.`,
    'Linear attention leaves out the softmax. It adds up the products of keys and values once, and every query reads the sum: the work grows like the text. It gains speed in long texts, and cannot pick out single words as sharply.',
    'That is all there is to attention: now try it on words of your own.',
  ],

  Figure({ place, tour: { costs: times }, palette, pick }) {
    const isDone = times.length === lengths.length;
    return (
      <>
        <figure>
          <figcaption>milliseconds of a call, by words</figcaption>
          <NumberTable
            {...{ name: 'costs', label: 'Milliseconds of a call', columns: kinds }}
            rows={lengths.map(String)}
            format={milliseconds}
            data={lengths.flatMap((_, at) => kinds.map((kind) => times[at]?.[kind]))}
            at={cellOf(place)}
            shadeOf={() => palette.plain}
            pick={(row, column) => pick({ at: { row, column } })}
          />
          <p class="hint" role="status">
            {isDone
              ? `Measured in this browser: one head of size ${dim}, on one thread.`
              : 'Measuring …'}
          </p>
        </figure>
        <figure>
          <figcaption>the same, both axes logarithmic</figcaption>
          <CostCurve points={times.map((time, at) => [lengths[at], time])} />
        </figure>
      </>
    );
  },

  spell(_, place, { costs: times }) {
    const { row, column } = cellOf(place);
    return times.length === lengths.length ? { lines: spell(times, row, kinds[column]) } : null;
  },
};

const cellOf = ({ at }) => at ?? { row: lengths.length - 1, column: 0 };

const milliseconds = (time) => {
  if (time === undefined) return '…';
  return time >= 100 ? time.toFixed(0) : time.toPrecision(2);
};

/** Products of a call, and its time beside that of the length before. */
function spell(times, row, kind) {
  const [length, time] = [lengths[row], times[row][kind]];
  const isSquare = kind === 'softmax';
  const products = 2 * length * dim * (isSquare ? length : dim);
  const factors = isSquare ? `${length} × ${length} × ${dim}` : `${length} × ${dim} × ${dim}`;
  const lines = [
    `${kind}, ${length} words: 2 × ${factors} = ${products.toLocaleString('en')} products in ${milliseconds(time)} ms`,
  ];
  if (row === 0) return lines;
  const before = times[row - 1][kind];
  const [wanted, factor] = [isSquare ? growth ** 2 : growth, (time / before).toFixed(1)];
  return [
    ...lines,
    `${growth} times as many words as ${lengths[row - 1]}: ${wanted} times the products, ${factor} times the time`,
  ];
}
