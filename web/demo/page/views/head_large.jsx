// The head that is pointed at, focused or selected, enlarged beside the grid of all heads: its picture, what it does, and
// a switch for heads of a model.

import { Drawing } from '../component.jsx';
import { createLargePicture } from './head_picture.js';

/** `head`: a cell of the grid, or undefined; `place`: marked row and column, or null. */
export function LargeHead({ head, place, hands, turnOff }) {
  if (!head) return <div class="large-head" hidden />;
  const { part, head: index, title, labels, words, does, off } = head;
  return (
    <div class={off ? 'large-head off' : 'large-head'} data-part={part} data-head={index}>
      <b>{`${title}, head ${index + 1}`}</b>
      <button
        type="button"
        class="quiet off-switch"
        hidden={off === undefined}
        onClick={() => turnOff(head)}
      >
        {off ? 'Switch it on' : 'Switch it off'}
      </button>
      <div class="labeled">
        <Words side="columns" labels={labels} at={place?.column} />
        <Words side="rows" labels={labels} at={place?.row} />
        <Drawing create={createLargePicture} head={head} place={place} hands={hands} />
      </div>
      <div class="says">
        {[`looks at about ${words}`, ...does].map((line) => (
          <p>{line}</p>
        ))}
      </div>
    </div>
  );
}

const maxWords = 24; // that have room beside the picture

/** The words of the rows or columns, each beside its own; `at`: the marked one. */
function Words({ side, labels, at }) {
  const words = labels?.[side] ?? [];
  if (words.length > maxWords) return null;
  return (
    <div class={`of-${side}`} aria-hidden="true">
      {words.map((text, index) => (
        <bdi class={index === at ? 'at' : undefined}>{text}</bdi>
      ))}
    </div>
  );
}
