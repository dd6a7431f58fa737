// Scores of a decoder's heads, measured on request: a button, three numbers for each head, and the strongest head of each.

import { element, write } from '../element.js';

const sequences = 4;
const names = {
  previous_token: 'previous token',
  duplicate_token: 'duplicate token',
  induction: 'induction',
};

/**
 * `ask(sequence)` measures one sequence; `changed()` is called with new scores; `select({ part, head })` shows a head.
 */
export function createHeadScores({ ask, changed, select }) {
  const button = element('button', { type: 'button', class: 'quiet', click: act });
  const status = element('span', { role: 'status' });
  const list = element('ul', { 'aria-label': 'Strongest head of each kind' });
  const hint = element('p', { class: 'hint' });
  const root = element('div', { class: 'head-scores', hidden: true }, button, status, list, hint);
  let run = null; // the current one; another one, and null, end it
  let found = null; // { from, count, length, means: name → { data, dims } }
  let from; // id of the model

  function act() {
    if (run) stop();
    else measure();
  }

  function stop() {
    run = null;
    draw();
  }

  async function measure() {
    const own = { far: 0 };
    run = own;
    found = null;
    let failed = '';
    while (own.far < sequences && run === own && !failed) {
      draw();
      const problem = ({ message }) => ({ problem: message });
      const answer = await ask(own.far).catch(problem);
      if (run !== own) return;
      if (answer?.scores) add(answer);
      failed = answer?.problem ? `The heads could not be measured: ${answer.problem}.` : '';
      ++own.far;
    }
    run = null;
    draw(failed);
    changed();
  }

  /** Adds the scores of one more sequence to the means. */
  function add({ length, scores }) {
    const count = (found?.count ?? 0) + 1;
    const means = Object.fromEntries(
      Object.entries(scores).map(([name, { data, dims }]) => {
        const before = found?.means[name].data;
        const mean = data.map((score, at) => ((before?.[at] ?? 0) * (count - 1) + score) / count);
        return [name, { data: mean, dims }];
      }),
    );
    found = { count, length, means };
  }

  function draw(problem = '') {
    const isDone = found !== null && !run;
    write(button, run ? 'Cancel' : isDone ? 'Measure again' : 'Measure what its heads do');
    write(status, run ? `Sequence ${run.far + 1} of ${sequences}` : problem);
    list.hidden = !isDone;
    hint.hidden = !isDone;
    if (!isDone) return;
    list.replaceChildren(...Object.entries(names).map(([name, says]) => strongest(name, says)));
    write(
      hint,
      `Mean over ${found.count} × ${found.length} random tokens, each sequence twice, with nothing blocked: the weight of a row on the token before it, and in the second half on the earlier copy of its token (duplicate) and on the token after that copy (induction). 1 is all of it.`,
    );
  }

  function strongest(name, says) {
    const { data, dims } = found.means[name];
    const at = data.indexOf(Math.max(...data));
    const [layer, head] = [Math.floor(at / dims[1]), at % dims[1]];
    const text = `layer ${layer + 1}, head ${head + 1} (${data[at].toFixed(2)})`;
    const click = () => select({ part: `self.${layer}`, head });
    return element('li', {}, `${says}: `, element('button', { type: 'button', click }, text));
  }

  draw();
  return {
    element: root,
    /** `facts` of the picture. */
    show(facts) {
      root.hidden = !facts?.hasScores;
      if (facts?.from === from) return;
      from = facts?.from;
      [run, found] = [null, null];
      draw();
    },
    /** The scores, or null. */
    found: () => (run ? null : found),
    /** The three numbers of a head in words, or undefined. */
    textOf(scores, part, head) {
      if (!scores) return undefined;
      const layer = Number(part.split('.')[1]);
      const numbers = Object.entries(names).map(([name, says]) => {
        const { data, dims } = scores.means[name];
        return `${says} ${data[layer * dims[1] + head].toFixed(2)}`;
      });
      return numbers.join(', ');
    },
  };
}
