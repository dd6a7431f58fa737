// Step: soft lookup beside a hard one, over the whole range of temperatures.

import { element, write } from '../../element.js';
import { formatCell, formatTerm, sumOf } from '../../number_formats.js';
import { initialState } from '../../../state_fields.js';
import { figure } from '../parts/figure.js';
import { sum } from '../parts/numbers.js';
import { createNumberTable } from '../parts/number_table.js';

const { query, entries } = initialState.lookup;
const keys = entries.map(([key]) => key);
const columns = ['score', 'weight', 'value'];

export const lookup = {
  id: 'lookup',
  name: 'Lookup',
  title: 'A lookup that is never sure',
  formula: 'o = Σ_j α_j v_j',
  withoutModel: true,
  says: () => [
    `A dictionary finds the key that matches exactly, or nothing: “${query}” is not in it.`,
    'Attention is softer. It compares the query with every key, here by their spelling, gives each key a weight from 0 to 1, and mixes the values. Together the weights add up to 1.',
    'Change the temperature. Cold, only the best key counts. Hot, the answer is the plain average.',
  ],

  build({ ask, pick }) {
    let newest = 0;
    const hard = createHard();
    const table = createNumberTable({
      ...{ name: 'soft', label: 'Soft lookup', rows: keys, columns },
      format: (number, column) =>
        columns[column] === 'value' ? String(number) : formatCell(number, 3),
      pick: (row, column) => pick({ at: { row, column } }),
    });
    const answer = element('output', { class: 'answer soft-answer' });
    const temperature = element('input', {
      ...{ type: 'range', id: 'tour-temperature', min: -5, max: 6, step: 0.01, value: 0 },
      input: () => turn(2 ** temperature.valueAsNumber),
    });
    const warmth = element('output', { for: 'tour-temperature' });

    async function turn(value) {
      const number = Number(value.toPrecision(3));
      write(warmth, String(number));
      const id = ++newest;
      const table = { query, entries, temperature: number };
      const found = await ask({ about: 'lookup', table });
      if (id === newest) pick({ lookup: { ...found, temperature: number } });
    }
    turn(1);

    return {
      elements: [
        figure('before', 'a hard lookup', ...hard),
        figure(
          'after',
          'a soft lookup',
          element('p', { class: 'query' }, 'query ', element('bdi', { class: 'is-read' }, query)),
          table.element,
          element('p', { class: 'result' }, 'answer ', answer),
          element(
            'p',
            { class: 'heat' },
            element('label', { for: 'tour-temperature' }, 'temperature'),
            temperature,
            warmth,
          ),
        ),
      ],
      show({ lookup: found, at }, palette) {
        if (!found) return null;
        const { scores, weights, values, soft } = found;
        const data = Float32Array.from(
          keys.flatMap((_, row) => [scores[row], weights[row], values[row]]),
        );
        const { row, column } = at ?? { row: 0, column: 1 };
        const top = Math.max(...weights);
        table.show({
          data,
          at: { row, column },
          shadeOf: (number) =>
            weights.some((weight) => Math.fround(weight) === number)
              ? palette.shadeOf(number / top)
              : palette.plain,
        });
        write(answer, formatTerm(soft));
        return spell(found, row, column);
      },
    };
  },
};

function createHard() {
  const line = ([key, value]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, key),
      element('td', {}, key === query ? 'yes' : 'no'),
      element('td', {}, value),
    );
  const head = ['key', 'match', 'value'].map((text) => element('th', { scope: 'col' }, text));
  return [
    element('p', { class: 'query' }, 'query ', element('bdi', { class: 'is-read' }, query)),
    element(
      'table',
      { class: 'hard' },
      element('caption', { class: 'unseen' }, 'Hard lookup'),
      element('thead', {}, element('tr', {}, head)),
      element('tbody', {}, entries.map(line)),
    ),
    element('p', { class: 'result' }, 'answer ', element('span', { class: 'answer' }, 'nothing')),
  ];
}

function spell({ scores, weights, values, soft, temperature }, row, column) {
  const top = Math.max(...scores);
  const total = sum(scores.map((score) => Math.exp(score - top)));
  const answer = `o = ${sumOf(
    weights.map((weight, at) => [weight, values[at]]),
    soft,
  )}`;
  const key = `“${keys[row]}”`;
  const says = {
    score: `${key} has the score ${formatTerm(scores[row])}, already divided by the temperature, ${temperature}`,
    weight: `α of ${key} = exp(${formatTerm(scores[row])} − ${formatTerm(top)}) / ${formatTerm(total)} = ${formatTerm(weights[row])}`,
    value: `${key} has the value ${formatTerm(values[row])} and counts ${formatTerm(weights[row])} × ${formatTerm(values[row])} = ${formatTerm(weights[row] * values[row])}`,
  };
  return { lines: [says[columns[column]], answer] };
}
