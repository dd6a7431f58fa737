// Answers behind the last box of the flow: the whole block, the logit lens, the rollout, and what matters.

import { Block, Lens } from './block.jsx';
import { Rollout } from './rollout.jsx';
import { Step } from './step.jsx';

/** Arguments of Flow. */
export function Further(shown) {
  const { facts, canSweep, change } = shown;
  return (
    <div class="details further">
      {facts.hasInside && <Block {...shown} />}
      {facts.hasInside && <Lens {...shown} />}
      <Rollout facts={facts} change={change} />
      {canSweep && <Matters facts={facts} change={change} />}
    </div>
  );
}

const Matters = ({ facts: { grid }, change }) => (
  <Step id="matters" title={`Which head or ${grid ? 'patch' : 'word'} matters?`}>
    <p class="hint">Takes each away in turn, and measures what the model then writes.</p>
    <p>
      <button type="button" class="quiet" onClick={() => change({ sweep: 'heads' })}>
        Measure
      </button>
    </p>
  </Step>
);

/** True if anything stands there. */
export const hasFurther = ({ facts, canSweep }) =>
  facts.hasInside || canSweep || facts.parts.some(({ id }) => id.endsWith('.rollout'));
