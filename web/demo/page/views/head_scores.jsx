// Scores of a decoder's heads, measured on request: a button, three numbers for each head, and the strongest head of each.

import { sequences } from '../../state/head_scores.js';
import { SaveTable } from '../exports/save_table.jsx';
import { StrongestHeads } from './head_colors.jsx';

const names = {
  previous_token: 'previous token',
  duplicate_token: 'duplicate token',
  induction: 'induction',
};

/** `facts` of the picture; `scores` of its model, or null; `measure()` begins, or cancels; `select({ part, head })`;
 * `saving` and `save` as in SaveTable(). */
export function HeadScores({ facts, scores, measure, select, saving, save }) {
  const { isRunning = false, found = null, far = 0, problem = '' } = scores ?? {};
  const isDone = found !== null && !isRunning;
  return (
    <div class="head-scores" hidden={!facts?.hasScores}>
      <button type="button" class="quiet" onClick={() => measure()}>
        {isRunning ? 'Cancel' : isDone ? 'Measure again' : 'Measure what its heads do'}
      </button>
      <span role="status">{isRunning ? `Sequence ${far + 1} of ${sequences}` : problem}</span>
      <StrongestHeads
        label="Strongest head of each kind"
        heads={
          isDone ? Object.entries(names).map(([name, of]) => strongestOf(found, name, of)) : []
        }
        select={select}
      />
      {isDone && <SaveTable what="heads" title="the scores" saving={saving} save={save} />}
      <p class="hint" hidden={!isDone}>
        {isDone &&
          `Mean over ${found.count} × ${found.length} random tokens, each sequence twice, with nothing blocked: the weight of a row on the token before it, and in the second half on the earlier copy of its token (duplicate) and on the token after that copy (induction). 1 is all of it.`}
      </p>
    </div>
  );
}

/** The head with the highest score, for <StrongestHeads>. */
function strongestOf({ means }, name, of) {
  const { data, dims } = means[name];
  const at = data.indexOf(Math.max(...data));
  const [layer, head] = [Math.floor(at / dims[1]), at % dims[1]];
  const says = `layer ${layer + 1}, head ${head + 1} (${data[at].toFixed(2)})`;
  return { part: `self.${layer}`, head, says, of };
}

/** The three numbers of a head in words, or undefined without scores. */
export function textOfScores(scores, part, head) {
  if (!scores) return undefined;
  const layer = Number(part.split('.')[1]);
  const numbers = Object.entries(names).map(([name, says]) => {
    const { data, dims } = scores.means[name];
    return `${says} ${data[layer * dims[1] + head].toFixed(2)}`;
  });
  return numbers.join(', ');
}
