// Step: a link of cross-attention is blocked, and the model writes again.

import { headOf, fixed } from '../parts/numbers.js';
import { rowOf } from '../../../tensors.js';
import { blockedIn } from '../../../state/tour.js';
import { kindsIn } from '../../what_if/actions.js';
import { meaningOf, Written } from '../../what_if/strip.jsx';
import { Alignment } from '../parts/alignment.jsx';
import { Choice, HeadChoice } from '../parts/choice.jsx';
import { Figure } from '../parts/figure.jsx';
import { Likely } from '../parts/likely.jsx';
import { TablePair } from '../parts/table_pair.jsx';
import { spellScore, spellSoftmax } from '../parts/weight_spelling.js';
import { sentenceOf } from './embedding.jsx';

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const whatIf = {
  id: 'what-if',
  title: 'What if it could not look there?',
  formula: 's_ij = −∞',
  says: ({ words, french, cross, layers }, { reads, seen, crossHead }) => [
    `Layer ${layers.cross}, head ${crossHead + 1}: “${french[reads]}” looks at “${words[seen]}” with weight ${fixed(rowOf(cross.weights, reads, crossHead)[seen])}. Did the model need that? A weight cannot say. A test can: block the link, and let the model write again.`,
    'For the blocked link s becomes −∞ and the weight 0, as with the mask. All that follows is computed again.',
    'Choose another number of “before” to test another link. On the page, words and whole heads can be blocked too, in any text.',
  ],

  Figure(shown) {
    const { lesson, place, tour, pick } = shown;
    const { words, french, cross: attention } = lesson;
    const { reads, seen, crossHead, isBlocked = false, isOneHead = false } = place;
    const answer = blockedIn(lesson, tour);
    const link = { row: reads, column: seen };
    const setBlocked = (next, part = {}) => pick({ at: null, ...part, isBlocked: next });
    const [query, key] = [`“${french[reads]}”`, `“${words[seen]}”`];
    return (
      <>
        <div class="choices">
          <HeadChoice
            count={attention.heads}
            chosen={crossHead}
            pick={(next) => pick({ crossHead: next })}
          />
          <Choice
            label="block in"
            names={['all layers and heads', 'this head only']}
            chosen={Number(isOneHead)}
            pick={(at) => pick({ isOneHead: at === 1 })}
            kind="other"
          />
          <button
            type="button"
            class={isBlocked ? 'block on' : 'block'}
            onClick={() =>
              setBlocked(!isBlocked, isBlocked ? {} : { at: { of: 'after', ...link } })
            }
          >
            {isBlocked ? `Allow ${query} to look at ${key}` : `Block ${query} from ${key}`}
          </button>
        </div>
        <div class="result" role="status">
          <p class="written">
            <Written
              effect={answer?.effect}
              waiting={
                isBlocked
                  ? 'The model writes again …'
                  : `Nothing is blocked yet. The model wrote “${sentenceOf(french)}”`
              }
            />
          </p>
          <p class="more">{answer ? meaningOf(answer.effect, kindsIn(answer.block)) : ''}</p>
        </div>
        <Weights {...{ ...shown, answer, link, setBlocked, isBlocked }} />
      </>
    );
  },

  spell(lesson, place, tour) {
    const { words, french, cross: attention } = lesson;
    const { reads, seen, crossHead, at } = place;
    const answer = blockedIn(lesson, tour);
    if (at?.of === 'after') {
      const { row = 0, column = 0 } = at;
      const { dims } = attention.weights;
      const scores = answer ? { data: answer.scores, dims } : attention.scaled;
      const weights = answer ? { data: answer.weights, dims } : attention.weights;
      const weight = rowOf(weights, row, crossHead)[column];
      return { lines: spellSoftmax(rowOf(scores, row, crossHead), column, weight, words) };
    }
    const names = [french[reads], words[seen]];
    const { terms, lines } = spellScore(attention, {
      ...{ head: crossHead, row: reads, column: seen, names },
    });
    const scaled = rowOf(attention.scaled, reads, crossHead);
    const weight = rowOf(attention.weights, reads, crossHead)[seen];
    return {
      terms,
      lines: [...lines, ...spellSoftmax(scaled, seen, weight, words)],
      trail: [
        {
          says: `Why does “${names[0]}” look at “${names[1]}”?`,
          step: 'cross',
          place: { reads, seen, crossHead },
        },
      ],
    };
  },
};

/** The weights before and after, and the likeliest words. Until something is blocked there is no second matrix. */
function Weights({ lesson, place, tour, palette, pick, answer, link, setBlocked, isBlocked }) {
  const { words, french, cross: attention } = lesson;
  const { reads, crossHead, at: given } = place;
  const at = given?.of === 'after' ? given : null;
  const was = headOf(attention.weights, crossHead);
  const now = answer && headOf({ data: answer.weights, dims: attention.weights.dims }, crossHead);
  const likely = tour.words[reads];
  const shared = {
    ...{ rows: french, columns: words, lit: link, format: (x) => fixed(x) },
    shadeOf: (number) => palette.shadeOf(number),
  };
  return (
    <TablePair
      before={{
        ...{ ...shared, caption: 'every link is open', data: was, at: at ? null : link },
        above: <Likely words={likely} own={french[reads]} />,
      }}
      after={{
        ...{ ...shared, caption: 'with the link blocked', data: now ?? was, at },
        blocked: answer && isIn(answer, lesson, crossHead, link) ? link : null,
        above: (
          <Likely words={answer?.words ?? (isBlocked ? undefined : likely)} own={french[reads]} />
        ),
      }}
      happens="block"
      isOpen={!isBlocked}
      pick={(row, column, of) => {
        if (of === 'before') setBlocked(false, { reads: row, seen: column });
        else pick({ at: { of, row, column } });
      }}
    >
      <Figure when="now" caption="the same weights as lines">
        <Alignment
          {...{ rows: french, columns: words, weights: was, ...link }}
          pick={(row, column) => setBlocked(false, { reads: row, seen: column })}
        />
      </Figure>
    </TablePair>
  );
}

/** True if the link is blocked in the shown head. */
const isIn = ({ scores }, { words, french }, head, { row, column }) =>
  scores[(head * french.length + row) * words.length + column] === -Infinity;
