// Sentences about the numbers of a sweep: the formula with its unit, and what they show and do not.

import { logOf, whole } from './effects.js';
import { deltaLog, formatChance, targetName } from './sweep_map.js';

/** `unit`: 'word', or 'patch' of an image. */
export function numberText(plan, target, unit) {
  const what = plan.over === 'heads' ? 'head' : unit;
  const now = formatChance(Math.exp(logOf(plan.logProbabilities, target)));
  const written = plan.written ? ` “${plan.written}”` : '';
  const stays = target === whole ? `${written} as it stands` : '';
  return (
    `The number: ${deltaLog} = ln p without the ${what} − ln p with it. ` +
    `p is the probability of ${targetName(plan, target)}${stays}, now ${now}. ` +
    '−0.69: half as likely; −2.3: a tenth.'
  );
}

export const meaningOf = ({ over }, unit) =>
  over === 'heads'
    ? 'Each head’s output is set to 0 in turn. Purple: the model used it here. Near 0 does not show that a head is useless: other heads may take over.'
    : `Each ${unit} is hidden from all others in turn. Purple: the model used it here. Near 0 does not show that a ${unit} is not read: others may say the same.`;
