// First step, where the displayed number combines several: weights of word pieces are summed over columns and averaged
// over rows, and averaged over heads. Each pair of pieces can be chosen; the steps below explain that pair.

import { element, write, writeFormula } from '../element.js';
import { formatScore, formatWeight } from '../number_formats.js';
import { formulaLine, step, sumLine } from './step.js';

const shownNumbers = 3;

/** `spellOut({ row, column })` is called with the chosen pair of tokens. */
export function createPiecesStep({ spellOut }) {
  const [formula, result, score, heads, chosen] = [formulaLine(), ...lines(4)];
  const body = element('tbody');
  const table = element(
    'table',
    { class: 'pieces' },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ['Pieces', 'weight', 'score'].map((name) => element('th', { scope: 'col' }, name)),
      ),
    ),
    body,
  );
  const room = element('div', { class: 'pieces-room' }, table);
  const root = step('This number', null, [formula, room, result, score, heads, chosen]);

  function showPieces({ pieces, place }, { average }) {
    const { pairs, rows, query, key } = pieces;
    writeFormula(formula, formulaFor(pieces));
    const focused = Array.from(body.children).findIndex((row) =>
      row.contains(document.activeElement),
    );
    body.replaceChildren(...pairs.map((pair) => lineOf(pair, place)));
    if (focused >= 0) body.children[focused]?.querySelector('button').focus();
    const own = pieces.heads[place.head];
    const total = addedUp(pairs.map(({ weight }) => weight));
    const shared = rows > 1 ? `(${total}) / ${rows} pieces of “${query}”` : total;
    const of = average ? `, head ${place.head + 1}` : '';
    write(result, `weight${of}: ${shared} = ${formatWeight(average ? own : pieces.weight)}`);
    const seen = pairs.filter(({ score: one }) => one > -Infinity).length;
    const what = seen === pairs.length ? `all ${seen} pairs` : `the ${seen} visible pairs`;
    const ofHeads = average ? ' and of the heads' : '';
    write(
      score,
      seen === 0
        ? `“${query}” may not look at “${key}”`
        : `score: the mean of ${what}${ofHeads}: ${formatScore(pieces.score)}`,
    );
    const { query: from, key: to } = pairs.find(
      (pair) => pair.row === place.row && pair.column === place.column,
    );
    write(chosen, `Spelled out below: “${from}” → “${to}”.`);
  }

  function lineOf(pair, place) {
    const isChosen = pair.row === place.row && pair.column === place.column;
    const choose = () => spellOut({ row: pair.row, column: pair.column });
    return element(
      'tr',
      { class: isChosen ? 'here' : null },
      element(
        'th',
        { scope: 'row' },
        element(
          'button',
          { type: 'button', 'aria-pressed': String(isChosen), click: choose },
          element('bdi', { class: 'is-read' }, pair.query),
          ' → ',
          element('bdi', { class: 'is-seen' }, pair.key),
        ),
      ),
      element('td', {}, formatWeight(pair.weight)),
      element('td', {}, formatScore(pair.score)),
    );
  }

  function showHeads({ pieces, place }) {
    const { heads: all, weight } = pieces;
    write(
      heads,
      `mean of ${all.length} heads: (${addedUp(all)}) / ${all.length} = ${formatWeight(weight)}`,
    );
    if (pieces.pairs.length === 1) write(chosen, `Spelled out below: head ${place.head + 1}.`);
  }

  return {
    element: root,
    show(inspection, { average }) {
      const { pieces } = inspection;
      const isMerged = pieces.pairs.length > 1;
      root.hidden = !isMerged && !average;
      if (root.hidden) return;
      for (const one of [formula, room, result, score]) one.hidden = !isMerged;
      heads.hidden = !average;
      if (isMerged) showPieces(inspection, { average });
      if (average) showHeads(inspection);
    },
  };
}

const lines = (count) => Array.from({ length: count }, sumLine);

/** Formula of a word's weight over its pieces (i of the row's word, j of the column's). */
function formulaFor({ rows, columns }) {
  if (rows === 1) return 'α = Σ_j α_j over the pieces';
  return columns === 1 ? 'α = mean over i of α_i' : 'α = mean over i of Σ_j α_ij';
}

/** The first terms of a sum, and the count of the others. */
function addedUp(numbers) {
  const written = numbers.slice(0, shownNumbers).map(formatWeight).join(' + ');
  const more = numbers.length - shownNumbers;
  return more > 0 ? `${written} + … ${more} more` : written;
}
