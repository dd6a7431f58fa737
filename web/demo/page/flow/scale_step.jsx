// Step “Scale”: scale, softcap and position bias of the score, or the similarity of a kind without softmax.

import { formatEnd } from 'attention-wasm/heatmap';
import { kindOf } from '../../kinds.js';
import { formatBrief, formatTerm } from '../number_formats.js';
import { similarity } from './similarity.js';
import { FormulaLine, Step, Sum } from './step.jsx';

const termNames = {
  content_position: 'q · key of the position',
  position_content: 'k · query of the position',
};

export function ScaleStep({ inspection, map }) {
  const { kind, place } = inspection;
  const isSoftmax = kind === 'softmax';
  const bias = isSoftmax ? inspection.bias : undefined;
  const { formula, sum } = isSoftmax ? scaledOf(inspection) : similarityOf(inspection);
  return (
    <Step id="scale" title="Scale" stage="scaled" map={map}>
      <FormulaLine text={formula} />
      <Sum>{sum}</Sum>
      {bias && <Sum>{sourceOf(bias, place)}</Sum>}
    </Step>
  );
}

function similarityOf({ kind, query, key, options }) {
  const sum =
    kind === 'efficient'
      ? 'q and k are turned into softmaxes of their own before they meet'
      : `sim = ${formatTerm(similarity(kind, query, key, options.scale))}`;
  return { formula: kindOf(kind).formula, sum };
}

const isRootOf = (query, scale) => Math.abs(scale * Math.sqrt(query.length) - 1) < 1e-9;

/** Operations on q · k before the mask, for a glance. */
export function operationsOf({ query, bias, options: { scale, softcap } }) {
  return [
    isRootOf(query, scale) ? `÷ √${query.length}` : `× ${formatEnd(scale)}`,
    softcap && `within ±${formatEnd(softcap)}`,
    bias && `${bias.number < 0 ? '−' : '+'} ${formatBrief(Math.abs(bias.number))}`,
  ].filter(Boolean);
}

function scaledOf({ query, bias, options: { scale, softcap }, stages, place: { column } }) {
  const isRoot = isRootOf(query, scale);
  const written = isRoot ? `÷ √${query.length}` : `× ${formatEnd(scale)}`;
  const capped = softcap ? `, then ${softcap} · tanh(s / ${softcap})` : '';
  const { raw, scaled } = stages;
  const formula = `s = q·k ${isRoot ? '/ √d_k' : '× scale / T'}${softcap ? ', capped' : ''}${bias ? ' + b' : ''}`;
  const added = bias ? ` = ${formatTerm(scaled[column])}, + ${formatTerm(bias.number)}` : '';
  const total = scaled[column] + (bias?.number ?? 0);
  return {
    formula,
    sum: `${formatTerm(raw[column])} ${written}${capped}${added} = ${formatTerm(total)}`,
  };
}

/** Origin of a bias: terms of positions, ALiBi's slope, or a table in the model's file. */
function sourceOf({ number, distance, name, bucket, slope, terms }, { head }) {
  if (terms) {
    const written = terms.map((term) => `${formatTerm(term.number)} (${termNames[term.name]})`);
    return `b = ${written.join(' + ')}`;
  }
  if (slope !== undefined) {
    return `b = −slope × distance = −${formatEnd(slope)} × ${Math.abs(distance)}`;
  }
  const far = Math.abs(distance);
  const places = `${far} position${far === 1 ? '' : 's'} ${distance < 0 ? 'back' : 'on'}`;
  const where = far === 0 ? 'the token itself' : `a token ${places}`;
  return `b = ${formatTerm(number)}: what the model learned for ${where}, row ${bucket + 1}, column ${head + 1} (this head) of ${name}`;
}
