// Step “Score”: q · k before scaling, with its products.

import { isFeatureMap } from '../../kinds.js';
import { featureOf, similarity } from './similarity.js';
import { AllTerms, FormulaLine, Step, StripLine, Sum, sumOf } from './step.jsx';
import { largest } from './strip.js';

export function ScoreStep({ inspection, palette, map }) {
  const { kind, query, place, options, stages } = inspection;
  const isLinear = isFeatureMap(kind) && kind !== 'efficient';
  const feature = isLinear ? featureOf(kind) : (number) => number;
  const terms = Array.from(query, (q, c) => [feature(q), feature(inspection.key[c])]);
  const total = isLinear
    ? similarity(kind, query, inspection.key, options.scale)
    : stages.raw[place.column];
  const products = terms.map(([q, k]) => q * k);
  const formula = isLinear ? 'φ(q) · φ(k) = Σ_c φ(q_c) φ(k_c)' : 'q · k = Σ_c q_c k_c';
  return (
    <Step id="score" title="Score" stage="raw" map={map}>
      <FormulaLine text={formula} />
      <StripLine
        symbol=""
        word="products"
        name="products of q and k"
        values={products}
        top={largest(products)}
        palette={palette}
      />
      <Sum>{sumOf(terms, total)}</Sum>
      <AllTerms terms={terms} />
    </Step>
  );
}
