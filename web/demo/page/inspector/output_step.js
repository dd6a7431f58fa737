// Step 5 of the inspector: the output of the row, the values in the proportions of the weights.

import { element, writeFormula } from '../element.js';
import { formulaLine, step, stripLine, sumLine, sumOf } from './step.js';
import { largest } from './strip.js';

const shownValues = 4;

export function createOutputStep() {
  let component = 0; // index of the output component that is spelled out
  let shown = null;
  const [formula, sum] = [formulaLine(), sumLine()];
  const list = element('ul', { class: 'mix' });
  const lines = Array.from({ length: shownValues }, () => stripLine());
  const items = lines.map(({ line }) => element('li', {}, line));
  list.append(...items);
  const outputStrip = stripLine((at) => {
    component = at;
    draw();
  });

  function draw() {
    const { values, output, columns, stages, palette } = shown;
    const { weights } = stages;
    const valueDim = output.length;
    component = Math.min(component, valueDim - 1);
    const top = largest(values, output);
    const order = Array.from(weights.keys())
      .sort((a, b) => weights[b] - weights[a])
      .slice(0, shownValues);
    items.forEach((item, at) => (item.hidden = at >= order.length));
    order.forEach((column, at) => {
      const part = values
        .subarray(column * valueDim, (column + 1) * valueDim)
        .map((value) => value * weights[column]);
      const symbol = `${weights[column].toFixed(4)} v`;
      lines[at].show(symbol, columns[column], part, { top, palette, side: 'is-seen' });
    });
    outputStrip.show('o', 'output', output, { top, palette, picked: component });
    const terms = Array.from(weights, (weight, column) => [
      weight,
      values[column * valueDim + component],
    ]);
    writeFormula(sum, `o_${component + 1} = ${sumOf(terms, output[component])}`);
  }

  writeFormula(formula, 'o = Σ_j α_j v_j');
  return {
    element: step('Output', null, [formula, list, outputStrip.line, sum]),
    show(inspection, { palette }) {
      shown = { ...inspection, palette };
      draw();
    },
  };
}
