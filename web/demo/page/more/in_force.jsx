// The line at the map that names the settings that differ from their default.

import { hasFused } from 'virtual:fused-kernels';
import { kindOf } from '../../kinds.js';
import { isOnlyDrawn } from '../../state/settings.js';

/** `facts` may be null. */
export const InForce = ({ state, facts }) => <>{facts && summaryOf({ state, facts })}</>;

/** Settings that differ from their default, such as "scale 1 · only backwards"; '' for none. */
function summaryOf({ state, facts }) {
  const { kind, scale, temperature, softcap, windowLeft, windowRight, stage, sort } = state;
  const sorted = sort !== 'text' && 'columns sorted';
  const isComputed = !facts.made && !facts.fixed;
  const hasWindow = windowLeft !== null || windowRight !== null;
  return [
    facts.made,
    facts.fixed && !facts.made && 'given weights',
    facts.fused !== undefined &&
      (facts.fused ? 'fused' : `fused: not in this ${hasFused ? 'browser' : 'build'}`),
    ...(isComputed
      ? [
          kind !== 'softmax' && lower(kindOf(kind).name),
          scale !== 'source' && scaleOf(facts.options.scale * temperature, facts.keyDim),
          temperature !== 1 && `temperature ${temperature}`,
          softcap !== 0 && `softcap ${softcap}`,
          state.causal !== null && state.causal !== facts.causal && causalName(state),
          hasWindow && `window ${windowLeft ?? 'all'}, ${windowRight ?? 'all'}`,
          stage !== 'weights' && `stage ${stageNames[stage]}`,
        ]
      : []),
    sorted,
    isComputed && isOnlyDrawn(state, facts) && 'in the picture only',
  ]
    .filter(Boolean)
    .join(' · ');
}

const stageNames = {
  raw: 'score',
  scaled: 'scaled',
  masked: 'masked',
  moved: 'moved',
  difference: 'Δ softmax',
};

const causalName = ({ causal }) => (causal ? 'only backwards' : 'both ways');

const lower = (name) => name[0].toLowerCase() + name.slice(1);

function scaleOf(scale, keyDim) {
  if (Math.abs(scale * Math.sqrt(keyDim) - 1) < 1e-6) return `1/√${keyDim}`;
  return `scale ${Number(scale.toPrecision(4))}`;
}
