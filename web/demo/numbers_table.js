// The weights as a plain table, for reading with other means than eyes, and for copying.

import { formatScore, formatWeight } from './numbers.js';

const mostCells = 2500;

/** Filled only while its <details> is open. */
export function createNumbersTable(details) {
  const room = details.querySelector('.table');
  let view = null;
  let drawn = {};

  function draw() {
    if (!details.open) return;
    const next = { numbers: view?.numbersOf, row: view?.whole ? null : view?.selected.row };
    if (next.numbers === drawn.numbers && next.row === drawn.row) return;
    drawn = next;
    if (!view) room.replaceChildren('Nothing to show yet.');
    else room.replaceChildren(view.whole ? wholeTable(view) : rowTable(view));
  }

  details.addEventListener('toggle', draw);

  return {
    /** view: { queries, keys, weights, scores, selected, numbersOf }, the last another object for other numbers. */
    show(next) {
      view = next && { ...next, whole: next.weights.length <= mostCells };
      draw();
    },
  };
}

function wholeTable({ queries, keys, weights }) {
  const table = tableOf('Weights: rows read, columns are looked at');
  const head = table.createTHead().insertRow();
  head.append(document.createElement('td'), ...keys.map((word) => header(word, 'col')));
  const body = table.createTBody();
  queries.forEach((word, row) => {
    const line = body.insertRow();
    line.append(header(word, 'row'));
    for (let column = 0; column < keys.length; ++column) {
      line.insertCell().textContent = formatWeight(weights[row * keys.length + column]);
    }
  });
  return table;
}

function rowTable({ queries, keys, weights, scores, selected: { row } }) {
  const table = tableOf(`What “${queries[row]}” (word ${row + 1}) looks at`);
  const head = table.createTHead().insertRow();
  head.append(...['word', 'weight', 'score'].map((title) => header(title, 'col')));
  const body = table.createTBody();
  keys.forEach((word, column) => {
    const line = body.insertRow();
    const at = row * keys.length + column;
    line.append(header(word, 'row'));
    line.insertCell().textContent = formatWeight(weights[at]);
    line.insertCell().textContent = formatScore(scores[at]);
  });
  return table;
}

function tableOf(caption) {
  const table = document.createElement('table');
  table.createCaption().textContent = caption;
  return table;
}

function header(text, scope) {
  const cell = document.createElement('th');
  cell.scope = scope;
  const word = document.createElement('bdi');
  word.textContent = text;
  cell.append(word);
  return cell;
}
