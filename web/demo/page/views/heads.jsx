// All heads in one grid of small pictures, a row for each layer, with one head enlarged. A score of their weights frames
// them.

import { placeOfPart, toggleBlock } from '../../blocks.js';
import { Drawing, useMemo, useState } from '../component.jsx';
import { createHeadCells } from './head_cells.js';
import { HeadColors, scoreOf, scoreText, shareOf } from './head_colors.jsx';
import { gridOf } from './head_grid.js';
import { LargeHead } from './head_large.jsx';
import { pointedIn, pooledText, reachOf, roleText, spreadText } from './head_of_picture.js';
import { HeadScores, textOfScores } from './head_scores.jsx';

/** @import { Facts } from '../../types' */
/** @import { Position, Scores, State } from '../../state/types' */
/** @import { Handlers } from '../view_switch.js' */

const keys =
  'Arrows go from head to head, Enter shows one, Shift and an arrow take another pair of words, X switches a head of a model off.';

/** @type {{ state?: State, facts?: Facts | null, scores?: Scores | null }} */
const noneAround = {};

/**
 * `inputs`: { thumbnails, colors, colorBy, scaling, unit, scores, palette } of the pictures. `select({ part, head })` is called by
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
  const { select, hover, change, measureHeads, save } = shown;
  const { state, facts, scores, saving } = around;
  const grid = useMemo(() => cellsOf(inputs, change !== undefined), [inputs]);
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
  const cells = grid.lines.flatMap((line) => line.heads);
  const large = cells.find((one) => one.part === enlarged?.part && one.head === enlarged?.head);
  return (
    <>
      <HeadScores
        facts={measureHeads && facts}
        scores={scores}
        measure={measureHeads}
        select={select}
        saving={saving}
        save={save}
      />
      {change && (
        <HeadColors
          heads={cells}
          by={inputs.colorBy}
          choose={(colorBy) => change({ colorBy })}
          select={select}
        />
      )}
      <div class="all">
        <Drawing
          create={createHeadCells}
          {...{ name, grid, selection, placeIn, hands, palette: inputs.palette }}
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
      <p class="hint pooled">{pooledText(inputs.thumbnails)}</p>
      <p id={`${name}-keys`} class="keys">
        {keys}
      </p>
    </>
  );
}

const none = () => {};
const within = (at, list) => Math.max(0, Math.min(list.length - 1, at));

/** The grid in lines, with what each cell shows and says; `isOurs`: heads can be switched off. */
function cellsOf({ thumbnails, colors, colorBy, scaling, unit, scores }, isOurs) {
  const { lines } = gridOf(thumbnails);
  return {
    colors,
    lines: lines.map(([part, list]) => {
      const title = list[0].name;
      return {
        ...{ part, title },
        heads: list.map((one) => {
          const spread = spreadText(one, unit);
          const measured = textOfScores(scores, part, one.head);
          const score = scoreOf(one, colorBy);
          return {
            ...one,
            ...{ title, colors, scaling, off: isOurs ? one.off : undefined },
            labels: one.words,
            share: score === null ? null : shareOf(score, colorBy, one.columns),
            does: [
              ...(score === null ? [] : [scoreText(score, colorBy)]),
              ...(spread ? [`looks at about ${spread}`] : []),
              ...(one.role ? [roleText(one.role), ...reachOf(one.role)] : []),
              ...(measured ? [measured] : []),
            ],
          };
        }),
      };
    }),
  };
}
