// Step: soft lookup beside a hard one, in a price list of the reader's own, over the whole range of temperatures.

import { element } from '../../element.js';
import { mountComponent } from '../../component.jsx';
import { figure } from '../parts/figure.js';
import { HardLookup, SoftLookup, spellRow } from '../parts/lookup_table.jsx';
import '../parts/lookup_table.css';

/** @import { TourPlace } from '../place.js' */

export const lookup = {
  id: 'lookup',
  name: 'Lookup',
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

  build({ ask, pick, change }) {
    let asked = null; // the list that the worker was asked about last
    const [hardRoom, softRoom] = [element('div'), element('div', { class: 'soft-lookup' })];
    const hard = mountComponent(HardLookup, hardRoom);
    const soft = mountComponent(SoftLookup, softRoom, {
      change: (next) => change({ lookup: next }),
      pick: (row) => pick({ at: { row } }),
    });

    async function answer(table) {
      asked = table;
      const found = await ask({ about: 'lookup', table });
      if (asked === table) pick({ found });
    }

    return {
      elements: [
        figure('before', 'a hard lookup', hardRoom),
        figure('after', 'a soft lookup', softRoom),
      ],
      /** @param {TourPlace} place */
      show({ lookup: table, found, at }) {
        if (asked !== table) answer(table);
        const chosen = Math.min(at?.row ?? 0, table.entries.length - 1);
        hard.show({ lookup: table, found });
        soft.show({ lookup: table, found, chosen });
        return spellRow(table, found, chosen);
      },
    };
  },
};
