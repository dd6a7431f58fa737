// Mode "Learn" in its room: a small Transformer learns a task, and its attention is drawn while it does.

import { mountComponent } from '../component.jsx';
import { Learn } from './learn.jsx';
import { createRun } from './run.js';
import '../views/heads.css';
import './learn.css';

/** `change` as in actions.js; `open(files, state)` as in createRun(). */
export function createLearn(root, { change, open }) {
  let chosen = null;
  const run = createRun({ open, changed: draw });
  const learn = mountComponent(Learn, root, { change, ...run.actions });

  function draw() {
    learn.show({ chosen, ...run.now() });
  }

  return {
    show(now) {
      chosen = now;
      run.follow(now);
      draw();
    },
  };
}
