// Soft lookup: an editable table of keys and values, a query and the result, beside a hard lookup. The temperature
// ranges from exact match to plain average.

import { formatEnd } from 'attention-wasm/heatmap';
import { maxLookupEntries } from '../state_fields.js';
import { element, formula, write } from './element.js';
import { formatCell, formatTerm } from './number_formats.js';
import './style/lookup.css';

/** `change(lookup)` is called with { query, entries, temperature }. */
export function createLookup(root, change) {
  let lookup = null;
  const fieldsOf = new WeakMap(); // table row → its input fields
  const query = element('input', {
    id: 'lookup-query',
    autocomplete: 'off',
    spellcheck: 'false',
    dir: 'auto',
    maxlength: 200,
    input: () => change({ ...lookup, query: query.value }),
  });
  const temperature = element('input', {
    id: 'lookup-temperature',
    type: 'range',
    min: -5,
    max: 6,
    step: 0.01,
    input: () => {
      const value = Number((2 ** temperature.valueAsNumber).toPrecision(3));
      change({ ...lookup, temperature: value });
    },
  });
  const warmth = element('output', { for: 'lookup-temperature' });
  const body = element('tbody');
  const add = element(
    'button',
    {
      type: 'button',
      class: 'quiet',
      click() {
        change({ ...lookup, entries: [...lookup.entries, ['', '1']] });
        requestAnimationFrame(() => body.lastElementChild?.querySelector('input')?.focus());
      },
    },
    'Add a key',
  );
  const hard = element('dd');
  const soft = element('dd');
  const sum = element('p', { class: 'sum', role: 'status' });

  root.append(
    element(
      'div',
      { class: 'lookup-query' },
      element('label', { for: 'lookup-query' }, 'Query'),
      query,
    ),
    element(
      'div',
      { class: 'lookup-table' },
      element(
        'table',
        {},
        element('caption', { class: 'unseen' }, 'Keys, values, and how much each counts'),
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ['key', 'value', 'weight', 'weight × value', ''].map((text) =>
              text
                ? element('th', { scope: 'col' }, text)
                : element('td', {}, element('span', { class: 'unseen' }, 'remove')),
            ),
          ),
        ),
        body,
      ),
      add,
    ),
    element(
      'div',
      { class: 'lookup-heat' },
      element('label', { for: 'lookup-temperature' }, 'Temperature'),
      temperature,
      warmth,
      element(
        'p',
        { class: 'ends', 'aria-hidden': 'true' },
        element('span', {}, 'exact match'),
        element('span', {}, 'plain average'),
      ),
    ),
    element(
      'dl',
      { class: 'answers' },
      element('div', {}, element('dt', {}, 'Hard lookup'), hard),
      element('div', {}, element('dt', {}, 'Soft lookup'), soft),
    ),
    sum,
    element(
      'p',
      { class: 'hint' },
      'A dictionary finds the key that matches exactly, or nothing. Attention compares the query with ' +
        'every key (here by spelling), turns the scores into weights from 0 to 1 that sum to 1, and mixes the values. ',
      formula('o = Σ_j softmax(scale · q·k_j / T) v_j'),
    ),
  );

  function entryRow(at) {
    const edit = (place) => (event) => {
      const entries = lookup.entries.map((entry) => [...entry]);
      entries[at][place] = event.target.value;
      change({ ...lookup, entries });
    };
    const cells = {
      key: element('input', {
        'aria-label': `Key ${at + 1}`,
        dir: 'auto',
        maxlength: 200,
        autocomplete: 'off',
        spellcheck: 'false',
        input: edit(0),
      }),
      value: element('input', {
        'aria-label': `Value ${at + 1}`,
        type: 'number',
        step: 'any',
        input: edit(1),
      }),
      bar: element('i'),
      weight: element('span'),
      product: element('td', { class: 'product' }),
    };
    const remove = element(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'aria-label': `Remove key ${at + 1}`,
        click: () =>
          change({ ...lookup, entries: lookup.entries.filter((_, index) => index !== at) }),
      },
      '×',
    );
    const row = element(
      'tr',
      {},
      element('td', {}, cells.key),
      element('td', {}, cells.value),
      element('td', { class: 'weight' }, cells.bar, cells.weight),
      cells.product,
      element('td', {}, remove),
    );
    fieldsOf.set(row, cells);
    return row;
  }

  function showEntries() {
    const { entries } = lookup;
    while (body.children.length < entries.length) body.append(entryRow(body.children.length));
    while (body.children.length > entries.length) body.lastElementChild.remove();
    entries.forEach(([key, value], at) => {
      const cells = fieldsOf.get(body.children[at]);
      if (cells.key.value !== key) cells.key.value = key;
      if (document.activeElement !== cells.value && cells.value.value !== value) {
        cells.value.value = value;
      }
    });
    add.disabled = entries.length >= maxLookupEntries;
  }

  return {
    /** `answer`: the worker's result for this state, or null. */
    show(state, answer) {
      lookup = state.lookup;
      if (query.value !== lookup.query) query.value = lookup.query;
      if (document.activeElement !== temperature) temperature.value = Math.log2(lookup.temperature);
      temperature.setAttribute('aria-valuetext', formatEnd(lookup.temperature));
      write(warmth, formatEnd(lookup.temperature));
      showEntries();
      if (!answer) return;
      let next = 0;
      lookup.entries.forEach(([key], at) => {
        const cells = fieldsOf.get(body.children[at]);
        const known = key.trim() !== '' && answer.weights && next < answer.weights.length;
        const weight = known ? answer.weights[next] : null;
        cells.bar.style.width = known ? `${(100 * weight).toFixed(2)}%` : '0';
        write(cells.weight, known ? formatCell(weight, 5) : '');
        write(cells.product, known ? formatCell(weight * answer.values[next], 5) : '');
        if (key.trim() !== '') ++next;
      });
      write(hard, answer.hard === null ? 'not found' : formatTerm(answer.hard));
      write(soft, answer.weights ? formatTerm(answer.soft) : 'nothing to look up');
      write(sum, answer.weights ? sumOf(answer) : '');
    },
  };
}

// The weighted sum, with decimals as in the table.
function sumOf({ weights, values, soft }) {
  const terms = weights.map((weight, at) => {
    return `${formatCell(weight, 5)} × ${String(values[at]).replace('-', '−')}`;
  });
  return `${terms.join(' + ')} = ${formatTerm(soft)}`;
}
