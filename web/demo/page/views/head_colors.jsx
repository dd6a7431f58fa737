// Frames of the pictures of all heads: a score of each head's weights, and the heads with the highest.

/** @import { Thumbnail } from '../../types' */
/** @import { State } from '../../state/types' */

/** @type {Record<State['colorBy'], { name: string, says: string }>} */
const colorings = {
  weights: { name: 'weights', says: '' },
  previous: {
    name: 'previous token',
    says: 'mean weight of a row on the token before it',
  },
  first: {
    name: 'first token and marks',
    says: 'mean weight of a row on the first token, punctuation and marks such as [SEP] together',
  },
  same: {
    name: 'same token',
    says: 'mean weight of a row on its own token, here and elsewhere in the text',
  },
  spread: {
    name: 'spread (entropy)',
    says: 'mean entropy of a row in bits; a mean of all columns has the most',
  },
};

/**
 * The score of a head; null for the weights alone, and where it is not defined.
 * @param {Pick<Thumbnail, 'scores'>} head
 * @param {State['colorBy']} by
 */
export const scoreOf = ({ scores }, by) => (by === 'weights' ? null : (scores?.[by] ?? null));

/**
 * The score from 0 to 1, of the entropy as a share of its largest.
 * @param {number} score
 * @param {State['colorBy']} by
 * @param {number} columns
 */
export const shareOf = (score, by, columns) =>
  by === 'spread' ? score / Math.max(1, Math.log2(columns)) : score;

/**
 * "previous token 0.80", or "entropy 1.4 bits".
 * @param {number} score
 * @param {State['colorBy']} by
 */
export const scoreText = (score, by) =>
  by === 'spread'
    ? `entropy ${score.toFixed(1)} bits`
    : `${colorings[by].name} ${score.toFixed(2)}`;

const named = 3;

/**
 * Heads with the highest scores, the highest first.
 * @template {Pick<Thumbnail, 'scores'>} Head
 * @param {Head[]} heads
 * @param {State['colorBy']} by
 */
export function strongestHeads(heads, by) {
  const scored = heads.flatMap((head) => {
    const score = scoreOf(head, by);
    return score === null ? [] : [{ head, score }];
  });
  return scored.sort((one, other) => other.score - one.score).slice(0, named);
}

/**
 * @param {{ heads: (Thumbnail & { title: string })[], by: State['colorBy'], choose(by: string): void,
 * select(place: { part: string, head: number }): void }} shown `heads`: cells of the grid
 */
export function HeadColors({ heads, by, choose, select }) {
  const strongest = strongestHeads(heads, by);
  return (
    <div class="head-colors">
      <label>
        {'Color by '}
        <select value={by} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {Object.entries(colorings).map(([value, { name }]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <StrongestHeads
        label="Strongest heads"
        heads={strongest.map(({ head: { part, title, head }, score }) => ({
          ...{ part, head, says: `${title}, head ${head + 1} (${score.toFixed(2)})` },
        }))}
        select={select}
      />
      <p class="hint" hidden={by === 'weights'}>
        {strongest.length > 0
          ? `Frame: ${colorings[by].says}.`
          : 'Not defined here: two texts, or weights that are no shares.'}
      </p>
    </div>
  );
}

/** A list of heads: a press shows one. `heads`: [{ part, head, says, of? }]; `of`: what it is the strongest of. */
export const StrongestHeads = ({ label, heads, select }) => (
  <ul aria-label={label} hidden={heads.length === 0}>
    {heads.map(({ part, head, says, of }) => (
      <li>
        {of && `${of}: `}
        <button type="button" onClick={() => select({ part, head })}>
          {says}
        </button>
      </li>
    ))}
  </ul>
);
