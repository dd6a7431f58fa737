// The line that says which step of the computation the map shows, where that is not the weights.

import { element } from '../element.js';

const names = {
  raw: 'the scores, q · k',
  scaled: 'the scaled scores',
  masked: 'the masked scores',
  moved: 'the values moved, ‖α v W_O‖',
  difference: 'the weights minus those of softmax',
};

/** Fills `root`; `change` as in actions.js. */
export function createDrawnStage(root, change) {
  const says = element('span');
  const back = element(
    'button',
    { type: 'button', class: 'quiet', click: () => change({ stage: 'weights' }) },
    'Show the weights',
  );
  root.append(says, back);
  return {
    show(stage) {
      const name = names[stage];
      root.hidden = name === undefined;
      says.textContent = `The map shows ${name}.`;
    },
  };
}
