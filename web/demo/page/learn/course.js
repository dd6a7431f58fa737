// The course of a run: its losses, the slider that leads back to any step, the example, and the link to the run.
import { longestShared, writeAddress } from '../address.js';
import { element, write } from '../element.js';
import { createLossCurve } from './loss_curve.js';
import { scoreText } from './task_texts.js';

/** Wrong tokens are struck through. */
function showTokens(target, tokens, expected = tokens) {
  const key = `${tokens} ${expected}`;
  if (target.dataset.key === key) return;
  target.dataset.key = key;
  target.replaceChildren(
    ...tokens.map((token, at) => element(token === expected[at] ? 'b' : 's', {}, token)),
  );
}

/** go(step): the reader moved the slider. buttons: elements for what can be done with the model. */
export function createCourse({ go, buttons }) {
  const curve = createLossCurve();
  const time = element('input', {
    id: 'learn-time',
    type: 'range',
    min: 0,
    'aria-label': 'Step',
    input: () => go(time.valueAsNumber),
  });
  const count = element('p', { class: 'learn-count' });
  const [input, output] = [element('dd'), element('dd')];
  const link = element('a', {}, 'this run as a link');

  return {
    time,
    element: element(
      'div',
      { class: 'learn-course' },
      element('h3', {}, 'Loss: how wrong it is'),
      curve.element,
      time,
      count,
      element(
        'dl',
        { class: 'learn-example' },
        element('div', {}, element('dt', {}, 'It reads'), input),
        element('div', {}, element('dt', {}, 'and writes by itself'), output),
      ),
      element('div', { class: 'learn-buttons' }, ...buttons),
      element(
        'p',
        { class: 'hint' },
        'Each step shows it 32 random examples and moves every number of the model a little, so that it is less wrong. ' +
          'The slider leads back to any step. The same seed gives the same run everywhere: ',
        link,
        '.',
      ),
    ),

    showLink(state, hasLines) {
      link.href = writeAddress({ ...state, inspector: false });
      const isLong = hasLines && state.pairs.length > longestShared;
      write(
        link,
        isLong ? 'this run as a link, without its lines, which are too long' : 'this run as a link',
      );
    },

    /** A picture of the worker. */
    show({ steps, losses, example, score }, task) {
      curve.show(losses, steps);
      time.max = losses.length;
      time.value = steps;
      const loss = steps === 0 ? '' : `, loss ${losses[steps - 1].toFixed(4)}`;
      time.setAttribute('aria-valuetext', `step ${steps}${loss}`);
      write(count, `Step ${steps}${loss}; ${scoreText(task, score)}.`);
      showTokens(input, example.input);
      showTokens(output, example.output, example.expected);
    },
  };
}
