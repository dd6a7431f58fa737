// Mode "Learn" in its room: a small Transformer learns a task, and its attention is drawn while it does.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { useLayoutEffect, useMemo, useState } from '../component.jsx';
import { Learn } from './learn.jsx';
import { createRun } from './run.js';
import '../views/heads.css';
import './learn.css';

defineAttentionMap();

/** `chosen` of the store, while the mode is shown; `change` as in actions.js; `open(files, state)` as in createRun(). */
export function LearnRoom({ chosen, change, open }) {
  const [, draw] = useState({});
  const run = useMemo(() => createRun({ open, changed: () => draw({}) }), []);
  useLayoutEffect(() => run.follow(chosen), [chosen]);
  return <Learn chosen={chosen} {...run.now()} change={change} {...run.actions} />;
}
