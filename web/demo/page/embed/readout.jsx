// Read-out below the embedded picture: the hovered or selected cell as the page's sentence, and in numbers.

import { useLatest } from '../component.jsx';
import { formatScore, formatWeight } from '../number_formats.js';
import { SentenceLine } from '../sentence/sentence_line.jsx';

/** `cell`: result of cellOf(), or null for none, which leaves the place of the last one; `parts`: see SentenceLine(). */
export function Readout({ cell, parts }) {
  const latest = useLatest(cell, cell !== null);
  const { weight, score, moved, sum, marks } = latest ?? {};
  const [hasMoved, hasMarks] = [moved, marks].map((one) => one !== undefined);
  const numbers = [
    ['weight', 'weight', latest && formatWeight(weight)],
    ['score', 'score', latest && (score === undefined ? '–' : formatScore(score))],
    ['moved-length', 'moved', hasMoved && formatScore(moved), !hasMoved],
    ['sum', 'row sum', latest && formatWeight(sum)],
    ['marks', 'marks', hasMarks && formatWeight(marks), !hasMarks],
  ];
  const look = ['readout', !cell && 'empty', (hasMoved || hasMarks) && 'crowded'];
  return (
    <div class={look.filter(Boolean).join(' ')}>
      <SentenceLine parts={parts} name="says" />
      <dl>
        {numbers.map(([id, name, text, isHidden = false]) => (
          <div key={id} hidden={isHidden}>
            <dt>{name}</dt>
            <dd class={id}>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
