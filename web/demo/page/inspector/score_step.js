// Step 2 of the inspector: the score before scaling, q · k, with its products.

import { featureMaps } from '../../kinds.js';
import { write, writeFormula } from '../element.js';
import { featureOf, similarity } from './similarity.js';
import { allTerms, formulaLine, step, stripLine, sumLine, sumOf } from './step.js';
import { largest } from './strip.js';

export function createScoreStep() {
  const [formula, sum] = [formulaLine(), sumLine()];
  const products = stripLine();
  const all = allTerms();
  return {
    element: step('Score', null, [formula, products.line, sum, all.details]),
    show({ kind, query, key, place, options, stages: { raw } }, { palette }) {
      const linear = featureMaps.includes(kind) && kind !== 'efficient';
      const map = linear ? featureOf(kind) : (x) => x;
      const terms = Array.from(query, (q, c) => [map(q), map(key[c])]);
      const what = linear ? 'φ(q) · φ(k)' : 'q · k';
      const total = linear ? similarity(kind, query, key, options.scale) : raw[place.column];
      writeFormula(formula, `${what} = Σ_c ${linear ? 'φ(q_c) φ(k_c)' : 'q_c k_c'}`);
      const list = terms.map(([q, k]) => q * k);
      products.show('qk', 'products', list, { top: largest(list), palette });
      write(sum, sumOf(terms, total));
      all.show(terms);
    },
  };
}
