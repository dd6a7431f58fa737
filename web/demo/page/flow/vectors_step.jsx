// Step “Vectors”: those of the two tokens, x before the projections and q, k, v after them.

import { Step, StripLine } from './step.jsx';
import { largest } from './strip.js';

export function VectorsStep({ inspection, palette }) {
  const { x, row, columns, query, values, output } = inspection;
  const { column } = inspection.place;
  const valueDim = output.length;
  const value = values.slice(column * valueDim, (column + 1) * valueDim);
  const ofRow = { word: row, side: 'is-read', palette };
  const ofColumn = { word: columns[column], side: 'is-seen', palette };
  const top = largest(query, inspection.key, value);
  const topX = x && largest(x.row, x.column);
  return (
    <Step id="vectors" title="Vectors" note="x → q, k, v">
      {x && <StripLine symbol="x" {...ofRow} values={x.row} top={topX} />}
      <StripLine symbol="q" {...ofRow} values={query} top={top} />
      {x && <StripLine symbol="x" {...ofColumn} values={x.column} top={topX} />}
      <StripLine symbol="k" {...ofColumn} values={inspection.key} top={top} />
      <StripLine symbol="v" {...ofColumn} values={value} top={top} />
    </Step>
  );
}
