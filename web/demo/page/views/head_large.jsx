// The head that is pointed at, focused or selected, enlarged beside the grid of all heads: its picture, what it does, and
// a switch for heads of a model.

import { Drawing } from '../component.jsx';
import { createLargePicture } from './head_picture.js';

/** `head`: a cell of the grid, or undefined; `place`: marked row and column, or null. */
export function LargeHead({ head, place, hands, turnOff }) {
  if (!head) return <div class="large-head" hidden />;
  const { part, head: index, title, labels, does, off } = head;
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
        {does.map((line) => (
          <p>{line}</p>
        ))}
      </div>
    </div>
  );
}

const maxWords = 16; // that have room beside the picture

/**
 * Words with room beside the picture: all, or at equal distances some of them, and the marked one in its place.
 * @param {string[]} words
 * @param {number} [at] the marked word
 * @returns {{ text: string, isMarked: boolean }[]}
 */
export function wordsBeside(words, at = -1) {
  const room = Math.min(words.length, maxWords);
  const placeOf = (slot) => Math.floor((slot * words.length) / room);
  return Array.from({ length: room }, (_, slot) => {
    const isMarked = placeOf(slot) <= at && at < placeOf(slot + 1);
    return { text: words[isMarked ? at : placeOf(slot)], isMarked };
  });
}

/** The words of the rows or columns, each beside its own; `at`: the marked one. */
const Words = ({ side, labels, at }) => (
  <div class={`of-${side}`} aria-hidden="true">
    {wordsBeside(labels?.[side] ?? [], at).map(({ text, isMarked }) => (
      <bdi class={isMarked ? 'at' : undefined}>{text}</bdi>
    ))}
  </div>
);
