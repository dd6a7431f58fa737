// The flow “How did this number come about?”: boxes from left to right, from the vectors of the selected pair to what the
// model writes. Each opens its details below the row, with the numbers that went into the library and came out of it.

import { boxesOf } from './boxes.jsx';
import { Further, hasFurther } from './further.jsx';

/**
 * Reads: `facts` and `inspection` of the answer, `picture` and the `place` in it; `chosen`; `cell`, as cellOf() returns
 * it; `block`, an Inside, and `words`, NextWords, as answerOf() returns them; `palette`; `map`: { stage, stages } that the
 * map draws, and can draw; `isPercent`: how weights are written;
 * `canSweep`; `note`. Calls: change(), select(), spellOut().
 */
export function Flow(shown) {
  const { cell, note, chosen, change } = shown;
  const all = { ...shown, map: { ...shown.map, change } };
  const boxes = boxesOf(all);
  const last = boxes[boxes.length - 1];
  // Weights that are not computed here have no box for the value.
  const open = boxes.find(({ id }) => id === chosen.box) ?? (chosen.box === 'value' ? last : null);
  return (
    <>
      <h2 id="flow-title" class="unseen">
        How this number came about: <Pair cell={cell} />
      </h2>
      {note && <p class="hint">{note}</p>}
      <ol class="boxes">
        {boxes.map((box) => (
          <BoxOf key={box.id} box={box} isOpen={box === open} shown={all} />
        ))}
      </ol>
      {open === last && hasFurther(all) && <Further {...all} />}
    </>
  );
}

const Pair = ({ cell: { query, key } }) => (
  <span class="pair-title">
    <bdi class="is-read">{query}</bdi>
    {' → '}
    <bdi class="is-seen">{key}</bdi>
  </span>
);

/** @param {{ box: import('./boxes.jsx').Box, isOpen: boolean, shown: object }} drawn */
function BoxOf({ box: { id, name, glance, details }, isOpen, shown }) {
  const { facts, inspection, change } = shown;
  const isThere = facts.fixed || inspection; // its numbers have come
  return (
    <li>
      <h3 class={`box of-${id}`}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`flow-${id}`}
          onClick={() => change({ box: isOpen ? '' : id })}
        >
          <span class="name">{name}</span>
          <span class="unseen">: </span>
          {glance}
        </button>
      </h3>
      {isOpen && isThere && (
        <div class="details" id={`flow-${id}`}>
          {details()}
        </div>
      )}
    </li>
  );
}
