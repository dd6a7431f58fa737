// Inspector: every step from the vectors of the selected pair to what the model writes, with the numbers that went into
// the library and came out of it, and the formula of each step.

import { useMemo } from '../component.jsx';
import { Block, Lens } from './block.jsx';
import { CellNumbers } from './cell_numbers.jsx';
import { HeadsStep } from './heads_step.jsx';
import { MaskStep } from './mask_step.jsx';
import { MovedStep } from './moved_step.jsx';
import { PiecesStep } from './pieces_step.jsx';
import { Rollout } from './rollout.jsx';
import { ScaleStep } from './scale_step.jsx';
import { ScoreStep } from './score_step.jsx';
import { Step } from './step.jsx';
import { VectorsStep } from './vectors_step.jsx';
import { WeightStep } from './weight_step.jsx';

/**
 * Reads: `facts` and `inspection` of the answer; `chosen`; `cell`: the inspected one, as cellOf() returns it; `block`, an Inside as
 * answerOf() returns it; `palette`; `stage` that the map draws, and `stages` that it can; `canSweep`; `note`. Calls: change(),
 * spellOut().
 */
export function Inspector(shown) {
  const { facts, inspection, cell, note, canSweep, change } = shown;
  const hasSteps = !facts.fixed && inspection;
  return (
    <>
      <header class="inspector-head">
        <h2 id="inspector-title">How this number came about</h2>
        <button
          type="button"
          class="quiet close"
          aria-label="Close “How this number came about”"
          onClick={() => change({ inspector: false })}
        >
          ×
        </button>
      </header>
      <Pair cell={cell} />
      <CellNumbers cell={cell} />
      {note && <p class="hint">{note}</p>}
      {facts.fixed && <p class="hint">{facts.fixed}</p>}
      <Entries {...shown} hasSteps={Boolean(hasSteps)} />
      {hasSteps && <MemoSteps {...shown} />}
      {facts.hasInside && <Block {...shown} />}
      {facts.hasInside && <Lens {...shown} />}
      <Rollout facts={facts} change={change} />
      {canSweep && <Matters facts={facts} change={change} />}
    </>
  );
}

function Pair({ cell: { query, key } }) {
  return (
    <p class="pair-title">
      <bdi class="is-read">{query}</bdi>
      {' → '}
      <bdi class="is-seen">{key}</bdi>
    </p>
  );
}

/** The steps, drawn again only if something changed. */
function MemoSteps(shown) {
  const { inspection, palette, chosen, stage, stages } = shown;
  const reads = [inspection, palette, chosen.average, stage, String(stages)];
  return useMemo(() => <Steps {...shown} />, reads);
}

function Steps({ inspection, palette, chosen, stage, stages, change, spellOut }) {
  const { average } = chosen;
  const map = { stage, stages, change };
  /** A token of the selected word is inspected; a token of another word selects that word. */
  function pick(column) {
    const { pieces, place } = inspection;
    const isOwn = pieces.pairs.some((one) => one.row === place.row && one.column === column);
    if (isOwn) spellOut({ row: place.row, column });
    else change({ column });
  }
  return (
    <>
      <PiecesStep inspection={inspection} average={average} spellOut={spellOut} />
      <VectorsStep inspection={inspection} palette={palette} />
      <ScoreStep inspection={inspection} palette={palette} map={map} />
      <ScaleStep inspection={inspection} map={map} />
      <MaskStep inspection={inspection} map={map} />
      <WeightStep inspection={inspection} palette={palette} map={map} pick={pick} />
      <MovedStep inspection={inspection} palette={palette} map={map} average={average} />
      {inspection.together && <HeadsStep inspection={inspection} palette={palette} />}
    </>
  );
}

/** Names of the entries, which lead to them. */
function Entries({ facts, hasSteps, canSweep, chosen, change }) {
  const steps = hasSteps ? ['Vectors', 'Score', 'Scale', 'Mask', 'Weight', 'Value moved'] : [];
  const ids = { 'Value moved': 'moved' };
  const rest = [
    facts.hasInside && ['Whole block', 'block', { whole: true }],
    facts.hasInside && ['Logit lens', 'lens', { lens: true }],
    facts.parts.some(isRollout) && ['Rollout', 'rollout'],
    canSweep && [matters(facts), 'matters'],
  ].filter(Boolean);
  const all = [...steps.map((name) => [name, ids[name] ?? name.toLowerCase()]), ...rest];
  const go = (id, open) => {
    if (open && Object.keys(open).some((name) => !chosen[name])) change(open);
    const title = document.getElementById(`step-${id}-title`);
    title?.scrollIntoView({ block: 'nearest' });
    title?.focus({ preventScroll: true });
  };
  return (
    <nav class="entries" aria-label="Steps">
      {all.map(([name, id, open]) => (
        <button type="button" class="quiet" onClick={() => go(id, open)}>
          {name}
        </button>
      ))}
    </nav>
  );
}

const isRollout = ({ id }) => id.endsWith('.rollout');
const matters = ({ grid }) => `Which head or ${grid ? 'patch' : 'word'} matters?`;

const Matters = ({ facts, change }) => (
  <Step id="matters" title={matters(facts)}>
    <p class="hint">Takes each away in turn, and measures what the model then writes.</p>
    <button type="button" class="quiet" onClick={() => change({ sweep: 'heads' })}>
      Measure
    </button>
  </Step>
);
