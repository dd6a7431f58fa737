// Step 3 of the inspector: scale, softcap, position bias and mask of the score, or the similarity of a kind without
// softmax.

import { formatEnd } from 'attention-wasm/heatmap';
import { kindOf } from '../../kinds.js';
import { write, writeFormula } from '../element.js';
import { formatTerm } from '../number_formats.js';
import { similarity } from './similarity.js';
import { formulaLine, step, sumLine } from './step.js';

export function createScaleStep() {
  const [formula, sum, biasSource] = [formulaLine(), sumLine(), sumLine()];

  function showSimilarity({ kind, query, key, options, stages, place: { column } }) {
    writeFormula(formula, kindOf(kind).formula);
    if (stages.masked[column] === -Infinity) write(sum, 'hidden: it is left out of the sum');
    else if (kind === 'efficient') {
      write(sum, 'q and k are turned into softmaxes of their own before they meet');
    } else write(sum, `sim = ${formatTerm(similarity(kind, query, key, options.scale))}`);
  }

  function showScaled({ query, bias, options: { scale, softcap }, stages, place: { column } }) {
    const isRoot = Math.abs(scale * Math.sqrt(query.length) - 1) < 1e-9;
    const written = isRoot ? `÷ √${query.length}` : `× ${formatEnd(scale)}`;
    const capped = softcap ? `, then ${softcap} · tanh(s / ${softcap})` : '';
    const { raw, scaled, masked } = stages;
    writeFormula(
      formula,
      `s = q·k ${isRoot ? '/ √d_k' : '× scale / T'}${softcap ? ', capped' : ''}${bias ? ' + b' : ''}`,
    );
    const added = bias ? ` = ${formatTerm(scaled[column])}, + ${formatTerm(bias.number)}` : '';
    const total = scaled[column] + (bias?.number ?? 0);
    const value = `${formatTerm(raw[column])} ${written}${capped}${added} = ${formatTerm(total)}`;
    write(sum, masked[column] === -Infinity ? `${value}, but hidden: −∞` : value);
  }

  return {
    element: step('Scale', null, [formula, sum, biasSource]),
    show(inspection) {
      const isSoftmax = inspection.kind === 'softmax';
      const bias = isSoftmax ? inspection.bias : undefined;
      biasSource.hidden = !bias;
      write(biasSource, bias ? sourceOf(bias, inspection.place) : '');
      if (isSoftmax) showScaled({ ...inspection, bias });
      else showSimilarity(inspection);
    },
  };
}

/** Origin of a learned bias in the model's file. */
function sourceOf({ number, distance, name, bucket }, { head }) {
  const far = Math.abs(distance);
  const places = `${far} position${far === 1 ? '' : 's'} ${distance < 0 ? 'back' : 'on'}`;
  const where = far === 0 ? 'the token itself' : `a token ${places}`;
  return `b = ${formatTerm(number)}: what the model learned for ${where}, row ${bucket + 1}, column ${head + 1} (this head) of ${name}`;
}
