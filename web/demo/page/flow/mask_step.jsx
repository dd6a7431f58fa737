// Step “Mask”: whether the token may be attended to at all.

import { FormulaLine, Step, Sum } from './step.jsx';

export function MaskStep({ inspection, map }) {
  const { kind, row, columns, stages, place } = inspection;
  const { masked } = stages;
  const isHidden = masked[place.column] === -Infinity;
  const visible = masked.filter((score) => score > -Infinity).length;
  const pair = `“${columns[place.column]}” is ${isHidden ? 'hidden from' : 'visible to'} “${row}”`;
  const effect =
    kind === 'softmax'
      ? isHidden
        ? 'its score becomes −∞'
        : 'its score stays'
      : isHidden
        ? 'it is left out of the sum'
        : 'it is part of the sum';
  return (
    <Step id="mask" title="Mask" stage="masked" map={map}>
      <FormulaLine text="s_ij = −∞ where j is hidden from i" />
      <Sum>{`${pair}: ${effect}`}</Sum>
      <Sum>{`visible: ${visible} of ${masked.length}`}</Sum>
    </Step>
  );
}
