// Inspector: every step from the vectors of the selected pair to what the model writes, with the numbers that went into
// the library and came out of it, and the formula of each step.

import { h, useMemo } from '../component.js';
import { Block, Lens } from './block.js';
import { CellNumbers } from './cell_numbers.js';
import { HeadsStep } from './heads_step.js';
import { MaskStep } from './mask_step.js';
import { MovedStep } from './moved_step.js';
import { PiecesStep } from './pieces_step.js';
import { Rollout } from './rollout.js';
import { ScaleStep } from './scale_step.js';
import { ScoreStep } from './score_step.js';
import { Step } from './step.js';
import { VectorsStep } from './vectors_step.js';
import { WeightStep } from './weight_step.js';

/**
 * Reads: `facts` and `inspection` of the answer; `chosen`; `cell`: the inspected one, as cellOf() returns it; `block`, as questions.get()
 * returns an Inside; `palette`; `stage` that the map draws, and `stages` that it can; `canSweep`; `note`. Calls: change(),
 * spellOut().
 */
export function Inspector(shown) {
  const { facts, inspection, cell, note, canSweep, change } = shown;
  const hasSteps = !facts.fixed && inspection;
  return [
    h(
      'header',
      { class: 'inspector-head' },
      h('h2', { id: 'inspector-title' }, 'How this number came about'),
      h(
        'button',
        {
          ...{
            type: 'button',
            class: 'quiet close',
            'aria-label': 'Close “How this number came about”',
          },
          onClick: () => change({ inspector: false }),
        },
        '×',
      ),
    ),
    h(Pair, { cell }),
    h(CellNumbers, { cell }),
    note && h('p', { class: 'hint' }, note),
    facts.fixed && h('p', { class: 'hint' }, facts.fixed),
    h(Entries, { ...shown, hasSteps: Boolean(hasSteps) }),
    hasSteps && h(MemoSteps, shown),
    facts.hasInside && h(Block, shown),
    facts.hasInside && h(Lens, shown),
    h(Rollout, { facts, change }),
    canSweep && h(Matters, { facts, change }),
  ];
}

function Pair({ cell: { query, key } }) {
  return h(
    'p',
    { class: 'pair-title' },
    h('bdi', { class: 'is-read' }, query),
    ' → ',
    h('bdi', { class: 'is-seen' }, key),
  );
}

/** The steps, drawn again only if something changed. */
function MemoSteps(shown) {
  const { inspection, palette, chosen, stage, stages } = shown;
  const reads = [inspection, palette, chosen.average, stage, String(stages)];
  return useMemo(() => h(Steps, shown), reads);
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
  return [
    h(PiecesStep, { inspection, average, spellOut }),
    h(VectorsStep, { inspection, palette }),
    h(ScoreStep, { inspection, palette, map }),
    h(ScaleStep, { inspection, map }),
    h(MaskStep, { inspection, map }),
    h(WeightStep, { inspection, palette, map, pick }),
    h(MovedStep, { inspection, palette, map, average }),
    inspection.together && h(HeadsStep, { inspection, palette }),
  ];
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
  return h(
    'nav',
    { class: 'entries', 'aria-label': 'Steps' },
    all.map(([name, id, open]) =>
      h('button', { type: 'button', class: 'quiet', onClick: () => go(id, open) }, name),
    ),
  );
}

const isRollout = ({ id }) => id.endsWith('.rollout');
const matters = ({ grid }) => `Which head or ${grid ? 'patch' : 'word'} matters?`;

const Matters = ({ facts, change }) =>
  h(
    Step,
    { id: 'matters', title: matters(facts) },
    h('p', { class: 'hint' }, 'Takes each away in turn, and measures what the model then writes.'),
    h(
      'button',
      { type: 'button', class: 'quiet', onClick: () => change({ sweep: 'heads' }) },
      'Measure',
    ),
  );
