// Sentences about the numbers of a sweep: the formula with its unit, and what they show and do not.

import { chanceOf, logOf, whole } from '../../state/effects.js';
import { formatChance, formatTerm } from '../number_formats.js';
import { deltaOf, targetName } from './sweep_map.js';
import { visibleText } from 'attention-wasm/heatmap';

/** `unit`: 'word', or 'patch' of an image. */
export function numberText(plan, target, unit) {
  const what = plan.over === 'heads' ? 'head' : unit;
  const log = logOf(plan.logProbabilities, target);
  const now = formatChance(chanceOf(plan, log));
  if (plan.versus !== undefined) {
    const word = targetName(plan, target);
    return (
      `Effect: ${deltaOf(plan)} = d without the ${what} − d with it; d is the logit of ${word} ` +
      `minus that of “${visibleText(plan.versus)}”, now ${formatTerm(log)}. The probability is that ` +
      `of ${word} if there were these two alone, now ${now}.`
    );
  }
  const written = plan.written ? ` “${plan.written}”` : '';
  const stays = target === whole ? `${written} as it stands` : '';
  return (
    `Effect: ${deltaOf(plan)} = ln p without the ${what} − ln p with it. ` +
    `p is the probability of ${targetName(plan, target)}${stays}, now ${now}. ` +
    '−0.69: half as likely; −2.3: a tenth.'
  );
}

export const meaningOf = ({ over }, unit) =>
  over === 'heads'
    ? 'Each head is switched off in turn: its output is 0. Purple: the model used it here. Near 0 does not show that a head is useless: other heads may take over.'
    : `Each ${unit} is hidden from all others in turn. Purple: the model used it here. Near 0 does not show that a ${unit} is not read: others may say the same.`;
