// The chosen number spelled out: its terms, and links to the steps that made them.

import { Formula, FormulaText, useState } from '../../component.jsx';
import { formatTerm, shownTerms } from '../../number_formats.js';

/** @import { Spelling } from '../steps.js' */

/**
 * `go(step, place)` opens the step that computed a term.
 * @param {{ spelling: Spelling | null, go(step: string, place: object): void }} shown
 */
export function Ledger({ spelling, go }) {
  const { lines = [], terms = [], termsTitle, trail = [] } = spelling ?? {};
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="ledger" aria-label="The chosen number" hidden={!spelling}>
      <h3>The chosen number</h3>
      <div class="spelled" role="status">
        {lines.map((line) => (
          <p>
            <FormulaText text={line} />
          </p>
        ))}
      </div>
      <details
        hidden={terms.length <= shownTerms}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>{termsTitle ?? `all ${terms.length} products`}</summary>
        <ol class="terms" tabIndex={0} aria-label="All products">
          {isOpen && terms.map((term) => <li>{productOf(term)}</li>)}
        </ol>
      </details>
      <p class="trail">
        {trail.map(({ says, step, place }) => (
          <button type="button" class="quiet" onClick={() => go(step, place)}>
            <Formula text={says} />
          </button>
        ))}
      </p>
    </section>
  );
}

/** @param {[number, number, string?]} term */
const productOf = ([a, b, of]) =>
  `${formatTerm(a)} × ${formatTerm(b)} = ${formatTerm(a * b)}${of ? ` (${of})` : ''}`;
