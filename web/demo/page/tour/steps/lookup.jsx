// Step: soft lookup beside a hard one, in a price list of the reader's own, over the whole range of temperatures.

import { Figure } from '../parts/figure.jsx';
import { HardLookup, SoftLookup, spellRow } from '../parts/lookup_table.jsx';

/** @import { Step } from '../steps.js' */

/** @type {Step} */
export const lookup = {
  id: 'lookup',
  title: 'A lookup that is never sure',
  formula: 'o = Σ_j softmax(scale · q·k_j / T) v_j',
  withoutModel: true,
  says: (_, { lookup: { query, entries } }) => [
    `A price list finds the key that matches exactly, or nothing: “${query}” is ${
      entries.some(([key]) => key.trim() === query.trim()) ? '' : 'not '
    }in it.`,
    'Attention is softer. It compares the query with every key, here by their spelling, gives each key a weight from 0 to 1, and mixes the prices. Together the weights add up to 1.',
    'Change the temperature. Cold, only the best key counts. Hot, the answer is the plain average. Query, keys and prices are yours to change, too.',
  ],

  Figure: ({ place: { lookup: table, found, at }, pick, change }) => (
    <>
      <Figure when="before" caption="a hard lookup">
        <div>
          <HardLookup lookup={table} found={found} />
        </div>
      </Figure>
      <Figure when="after" caption="a soft lookup">
        <div class="soft-lookup">
          <SoftLookup
            lookup={table}
            found={found}
            chosen={chosenIn(table, at)}
            change={(next) => change({ lookup: next })}
            pick={(row) => pick({ at: { row } })}
          />
        </div>
      </Figure>
    </>
  ),

  spell: (_, { lookup: table, found, at }) => spellRow(table, found, chosenIn(table, at)),
};

const chosenIn = ({ entries }, at) => Math.min(at?.row ?? 0, entries.length - 1);
