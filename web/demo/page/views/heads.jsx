// All heads in one grid, a row for each layer, with one head enlarged. Up to 64 heads have small pictures; in a larger
// grid each is a square with the color of its weight of the selected pair of words.

import { placeOfPart, toggleBlock } from '../../blocks.js';
import { Drawing, useMemo, useState } from '../component.jsx';
import { formatShare } from '../number_formats.js';
import { createHeadCells } from './head_cells.js';
import { gridOf, pairWeights } from './head_grid.js';
import { LargeHead } from './head_large.jsx';
import { pointedIn, reachOf, roleText, spreadOf } from './head_of_picture.js';
import { HeadScores, textOfScores } from './head_scores.jsx';

/** @import { Facts } from '../../types' */
/** @import { Position, Scores, State } from '../../state/types' */
/** @import { Handlers } from '../view_switch.js' */

const keys =
  'Arrows go from head to head, Enter shows one, Shift and an arrow take another pair of words, X switches a head of a model off.';

/** @type {{ state?: State, facts?: Facts | null, scores?: Scores | null }} */
const noneAround = {};

/**
 * `inputs`: { thumbnails, colors, scaling, unit, scores, palette, isPercent } of the pictures. `select({ part, head })` is called by
 * click and Enter, with { row, column } for a point in the displayed part; `hover({ row, column, head } | null)`. `name` is
 * the beginning of ids; `enlarges`: a head is enlarged beside the grid.
 */
export function Heads(shown) {
  const {
    picture,
    selection,
    inputs,
    around = noneAround,
    name = 'heads',
    enlarges = true,
  } = shown;
  const { select, hover, change, measureHeads } = shown;
  const { state, facts, scores } = around;
  const grid = useMemo(() => cellsOf(picture, inputs, change !== undefined), [inputs]);
  const [enlarged, setEnlarged] = useState(
    /** @type {{ part: string, head: number } | null} */ (null),
  );
  const isIn = ({ part }) => part === picture.part;
  const placeIn = (cell) => (picture && isIn(cell) ? pointedIn(selection) : null);
  const hands = {
    // The words of a point are known only in the displayed part.
    hover(cell, place) {
      if (!place || !isIn(cell)) hover(null);
      else hover(picture.average ? place : { ...place, head: cell.head });
    },
    choose: ({ part, head }, place) => select({ part, head, ...(isIn({ part }) && place) }),
    movePair(down, right) {
      hover(null);
      select({
        row: within(selection.row + down, picture.rows),
        column: within(selection.column + right, picture.columns),
      });
    },
  };
  const pair =
    grid.isLarge && picture ? pairWeights(inputs.thumbnails, picture, pointedIn(selection)) : null;
  const cells = grid.lines.flatMap((line) => line.heads);
  const large = cells.find((one) => one.part === enlarged?.part && one.head === enlarged?.head);
  return (
    <>
      <HeadScores
        facts={measureHeads && facts}
        scores={scores}
        measure={measureHeads}
        select={select}
      />
      <div class="all">
        <Drawing
          create={createHeadCells}
          {...{ name, grid, pair, picture, selection, placeIn, hands }}
          {...{ palette: inputs.palette, isPercent: inputs.isPercent }}
          enlarge={enlarges ? setEnlarged : none}
        />
        {enlarges && (
          <LargeHead
            head={large}
            place={large ? placeIn(large) : null}
            hands={hands}
            turnOff={({ part, head }) =>
              change?.({ block: toggleBlock(state?.block, { ...placeOfPart(part), head }) })
            }
          />
        )}
      </div>
      <p class="colored" hidden={!pair}>
        {pair && saysOf(pair, inputs.isPercent)}
      </p>
      <p id={`${name}-keys`} class="keys">
        {keys}
      </p>
    </>
  );
}

const none = () => {};
const within = (at, list) => Math.max(0, Math.min(list.length - 1, at));

/** What the colors of squares are. */
function saysOf({ weights, says, largest }, isPercent) {
  const others = weights.some((weight) => (weight ?? null) === null)
    ? ' Hatched: layers of other words.'
    : '';
  return `Color: weight of ${says}, at most ${formatShare(largest, isPercent)}.${others}`;
}

/** The grid in lines, with what each cell shows and says; `isOurs`: heads can be switched off. */
function cellsOf(picture, { thumbnails, colors, scaling, unit, scores }, isOurs) {
  const { lines, heads, isLarge } = gridOf(thumbnails);
  return {
    ...{ heads, isLarge, colors },
    lines: lines.map(([part, list]) => {
      const title = list[0].name ?? (part === picture.part ? picture.name : undefined) ?? part;
      return {
        ...{ part, title },
        heads: list.map((one) => {
          const rows = one.rows ?? picture.rows.length;
          const columns = one.columns ?? picture.columns.length;
          const spread = spreadOf(one.weights, rows, columns);
          const measured = textOfScores(scores, part, one.head);
          return {
            ...{ part, head: one.head, title, rows, columns, weights: one.weights },
            ...{ colors, scaling, off: isOurs ? one.off : undefined },
            labels: one.words,
            words: `${spread.toFixed(spread < 100 ? 1 : 0)} ${unit}`,
            does: [
              ...(one.role ? [roleText(one.role), ...reachOf(one.role)] : []),
              ...(measured ? [measured] : []),
            ],
          };
        }),
      };
    }),
  };
}
