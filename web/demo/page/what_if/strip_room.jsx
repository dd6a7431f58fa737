// The strip of the answer in its room, and the style of what can be blocked.

import { measuredOf } from '../sweep/measured.js';
import { comparedOf } from './compared.js';
import { Strip } from './strip.jsx';
import './what_if.css';

/** `where`: result of whereOf(); `blocked`: that of blockedOf(); setBlock() and endComparison() as in createBlocking(), save() as in actions.js. */
export function StripRoom({ where, blocked, ...actions }) {
  const cases = { blocked, compared: comparedOf(where), measured: measuredOf(where) };
  const isEmpty = Object.values(cases).every((one) => one === null);
  return (
    <section class="what-if" aria-label="What if" hidden={isEmpty}>
      <Strip {...cases} {...actions} saving={where.saving} />
    </section>
  );
}
