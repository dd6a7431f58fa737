// Scores of a decoder's heads, measured on request: a button, three numbers for each head, and the strongest head of each.

import { sequences } from '../../state/head_scores.js';
import { element, write } from '../element.js';

const names = {
  previous_token: 'previous token',
  duplicate_token: 'duplicate token',
  induction: 'induction',
};

/** `measure()` begins, or cancels; `select({ part, head })` shows a head. */
export function createHeadScores({ measure, select }) {
  const button = element('button', { type: 'button', class: 'quiet', click: measure });
  const status = element('span', { role: 'status' });
  const list = element('ul', { 'aria-label': 'Strongest head of each kind' });
  const hint = element('p', { class: 'hint' });
  const root = element('div', { class: 'head-scores', hidden: true }, button, status, list, hint);
  let listed = null; // scores in the list

  function strongest({ data, dims }, says) {
    const at = data.indexOf(Math.max(...data));
    const [layer, head] = [Math.floor(at / dims[1]), at % dims[1]];
    const text = `layer ${layer + 1}, head ${head + 1} (${data[at].toFixed(2)})`;
    const click = () => select({ part: `self.${layer}`, head });
    return element('li', {}, `${says}: `, element('button', { type: 'button', click }, text));
  }

  return {
    element: root,
    /** `facts` of the picture; `scores` of its model, or null. */
    show(facts, scores) {
      root.hidden = !facts?.hasScores;
      const { isRunning = false, found = null, far = 0, problem = '' } = scores ?? {};
      const isDone = found !== null && !isRunning;
      write(button, isRunning ? 'Cancel' : isDone ? 'Measure again' : 'Measure what its heads do');
      write(status, isRunning ? `Sequence ${far + 1} of ${sequences}` : problem);
      list.hidden = !isDone;
      hint.hidden = !isDone;
      if (!isDone || found === listed) return;
      listed = found;
      list.replaceChildren(
        ...Object.entries(names).map(([name, says]) => strongest(found.means[name], says)),
      );
      write(
        hint,
        `Mean over ${found.count} × ${found.length} random tokens, each sequence twice, with nothing blocked: the weight of a row on the token before it, and in the second half on the earlier copy of its token (duplicate) and on the token after that copy (induction). 1 is all of it.`,
      );
    },
  };
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
