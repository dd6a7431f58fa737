// Caption of an exported picture: its texts, layer and head, and the computation.

import { formatEnd } from 'attention-wasm/heatmap';
import { sourceName } from './origin.js';
import { kindOf } from '../../kinds.js';
import { viewNamed } from '../../view_list.js';

const stages = {
  raw: 'scores q·k',
  scaled: 'scaled scores',
  masked: 'masked scores',
  weights: 'weights',
  moved: 'what moved, ‖α v W_O‖',
  difference: 'weights minus those of softmax',
};

/** @returns {string[]} the texts, then the other facts */
export function captionOf({ state, facts, picture, selection, settings }) {
  const { name, heads } = facts.parts.find(({ id }) => id === facts.part);
  const [first, second] = facts.texts;
  const { shows } = viewNamed(settings.view);
  const drawn = shows === 'head' ? stages[settings.stage] : 'weights';
  const head = shows === 'layer' ? `${heads} heads` : `head ${selection.head + 1} of ${heads}`;
  return [
    picture.oneSequence && first === second ? `“${first}”` : `“${first}” → “${second}”`,
    [
      ...sourceIn(state, name),
      shows === 'all'
        ? 'all layers and heads'
        : `${name}, ${picture.average ? 'all heads, averaged' : head}`,
      drawn,
      ...howComputed(state, facts),
      ...(facts.blocks ?? []).map(({ says }) => says),
      ...(facts.cut ? [facts.cut.replace(/\.$/, '')] : []),
    ].join(' · '),
  ];
}

/** The model or the files, unless the part is called so. */
function sourceIn(state, part) {
  const name = sourceName(state);
  return name === '' || name === part ? [] : [name];
}

/** Kind, scale and all settings that differ from their default. */
function howComputed({ kind, temperature }, { options, keyDim, fixed, made, hasBias }) {
  if (fixed) return [made ?? 'as they were given'];
  const { can } = kindOf(kind);
  const { scale, softcap, causal, window } = options;
  const isRoot = Math.abs(scale * Math.sqrt(keyDim) - 1) < 1e-9;
  const found = [kindOf(kind).name.toLowerCase()];
  if (can.includes('scale'))
    found.push(isRoot ? `scale 1/√${keyDim}` : `scale ${formatEnd(scale)}`);
  if (can.includes('scale') && temperature !== 1)
    found.push(`temperature ${formatEnd(temperature)}`);
  if (softcap) found.push(`softcap ${softcap}`);
  if (hasBias && kind === 'softmax') found.push('with a learned position bias');
  if (causal) found.push('looking only backwards');
  if (window) found.push(`window ${window.map((side) => side ?? 'all').join(', ')}`);
  return found;
}
