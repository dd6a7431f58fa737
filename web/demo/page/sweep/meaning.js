// Sentences about the numbers of a sweep: the formula with its unit, and what they show and do not.

import { logOf, whole } from '../../state/effects.js';
import { formatChance } from '../number_formats.js';
import { deltaLog, targetName } from './sweep_map.js';

/** `unit`: 'word', or 'patch' of an image. */
export function numberText(plan, target, unit) {
  const what = plan.over === 'heads' ? 'head' : unit;
  const now = formatChance(Math.exp(logOf(plan.logProbabilities, target)));
  const written = plan.written ? ` “${plan.written}”` : '';
  const stays = target === whole ? `${written} as it stands` : '';
  return (
    `Effect: ${deltaLog} = ln p without the ${what} − ln p with it. ` +
    `p is the probability of ${targetName(plan, target)}${stays}, now ${now}. ` +
    '−0.69: half as likely; −2.3: a tenth.'
  );
}

export const meaningOf = ({ over }, unit) =>
  over === 'heads'
    ? 'Each head is switched off in turn: its output is 0. Purple: the model used it here. Near 0 does not show that a head is useless: other heads may take over.'
    : `Each ${unit} is hidden from all others in turn. Purple: the model used it here. Near 0 does not show that a ${unit} is not read: others may say the same.`;
