// The head or word at which the reader looks in the map of a sweep, as the strip of the answer shows it.

import { toggleBlock, readBlocks } from '../../blocks.js';
import { visibleText } from 'attention-wasm/heatmap';
import { effectOf, targetOf, whole } from '../../state/effects.js';
import { changeName, deltaOf, formatEffect } from './sweep_map.js';

/** Arguments of the strip's answer; null where nothing is selected, or `isOld`. */
export function measuredOf({ sweep, isOld, state: { block } }) {
  const at = sweep?.pointed ?? sweep?.cell;
  if (!at || isOld || !sweep.plan) return null;
  const { plan } = sweep;
  const cell = plan.cells[at.index];
  const target = plan.over === 'heads' ? targetOf(sweep) : at.target;
  const found = cell.isBlocked ? null : effectOf(sweep, at.index, target);
  const does = toggleBlock(block, readBlocks(cell.block)[0]);
  return {
    says: changeName(cell),
    word: target === whole ? plan.whole : visibleText(plan.targets[target].text),
    found,
    effect: effectText(plan, cell, found),
    canDo: cell.isBlocked ? '' : cell.part === undefined ? 'Hide it' : 'Switch it off',
    does,
  };
}

function effectText(plan, { isBlocked }, found) {
  if (isBlocked) return 'It is already.';
  if (!found) return 'Not measured yet.';
  return `Effect: ${deltaOf(plan)} = ${formatEffect(found.effect)}`;
}
