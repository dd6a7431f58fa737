// Details of the box “Weight” where it combines several: weights of word pieces are summed over columns and averaged
// over rows, and averaged over heads. Each pair of pieces can be chosen; the other boxes explain that pair.

import { formatScore, formatWeight } from '../number_formats.js';
import { FormulaLine, Step, Sum } from './step.jsx';

const shownNumbers = 3;

/** `spellOut({ row, column })` is called with the chosen pair of tokens. */
export function PiecesStep({ inspection, average, spellOut }) {
  const { pieces, place, kind } = inspection;
  const hasScore = kind === 'softmax'; // the weights of other kinds are not made of scores
  const isMerged = pieces.pairs.length > 1;
  if (!isMerged && !average) return null;
  return (
    <Step id="pieces" title="This number">
      {isMerged && <Pieces {...{ pieces, place, average, hasScore, spellOut }} />}
      {average && <Sum>{meanOf(pieces)}</Sum>}
      <Sum>{`The boxes spell out ${spelledOut(pieces, place)}.`}</Sum>
    </Step>
  );
}

const isAt =
  ({ row, column }) =>
  (pair) =>
    pair.row === row && pair.column === column;

function spelledOut({ pairs }, place) {
  if (pairs.length === 1) return `head ${place.head + 1}`;
  const pair = pairs.find(isAt(place));
  return `“${pair.query}” → “${pair.key}”`;
}

const meanOf = ({ heads, weight }) =>
  `mean of ${heads.length} heads: (${addedUp(heads)}) / ${heads.length} = ${formatWeight(weight)}`;

function Pieces({ pieces, place, average, hasScore, spellOut }) {
  const { pairs, rows, query } = pieces;
  const sum = addedUp(pairs.map(({ weight }) => weight));
  const shared = rows > 1 ? `(${sum}) / ${rows} pieces of “${query}”` : sum;
  const of = average ? `, head ${place.head + 1}` : '';
  const own = average ? pieces.heads[place.head] : pieces.weight;
  return (
    <>
      <FormulaLine text={formulaFor(pieces)} />
      <div class="pieces-room">
        <table class="pieces">
          <thead>
            <tr>{['Pieces', 'weight', ...(hasScore ? ['scaled score'] : [])].map(columnTitle)}</tr>
          </thead>
          <tbody>
            {pairs.map((pair) => (
              <PieceRow {...{ pair, hasScore, spellOut }} isChosen={isAt(place)(pair)} />
            ))}
          </tbody>
        </table>
      </div>
      <Sum>{`weight${of}: ${shared} = ${formatWeight(own)}`}</Sum>
      {hasScore && <Sum>{scoreOf(pieces, average)}</Sum>}
    </>
  );
}

const columnTitle = (title) => <th scope="col">{title}</th>;

function scoreOf({ pairs, query, key, score }, average) {
  const seen = pairs.filter((pair) => pair.score > -Infinity).length;
  if (seen === 0) return `“${query}” may not look at “${key}”`;
  const what = seen === pairs.length ? `all ${seen} pairs` : `the ${seen} visible pairs`;
  return `scaled score: the mean of ${what}${average ? ' and of the heads' : ''}: ${formatScore(score)}`;
}

const PieceRow = ({ pair, isChosen, hasScore, spellOut }) => (
  <tr class={isChosen ? 'here' : undefined}>
    <th scope="row">
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => spellOut({ row: pair.row, column: pair.column })}
      >
        <bdi class="is-read">{pair.query}</bdi>
        {' → '}
        <bdi class="is-seen">{pair.key}</bdi>
      </button>
    </th>
    <td>{formatWeight(pair.weight)}</td>
    {hasScore && <td>{formatScore(pair.score)}</td>}
  </tr>
);

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
