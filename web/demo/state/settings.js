// Settings of the views, derived from the state.

/** @import { Facts, Picture } from '../types' */
/** @import { State } from './types' */

/**
 * True if settings such as kind or scale change only the picture: a trained model keeps its own softmax, scale and
 * mask, so its words and later layers stay the same.
 * @param {State} state
 * @param {Facts | null} facts
 */
export function isOnlyDrawn(state, facts) {
  const { source, kind, scale, temperature, softcap, causal, windowLeft, windowRight } = state;
  if (!['model', 'own'].includes(source) || !facts || facts.fixed) return false;
  return (
    kind !== 'softmax' ||
    scale !== 'source' ||
    temperature !== 1 ||
    softcap !== 0 ||
    (causal ?? facts.causal) !== facts.causal ||
    windowLeft !== null ||
    windowRight !== null
  );
}

/**
 * Settings of the views.
 * @template Palette
 * @param {State} state
 * @param {Picture | null} picture
 * @param {Palette} palette result of readPalette()
 */
export function settingsOf(state, picture, palette) {
  const { view, stage, colors, threshold, perRow, mode, average } = state;
  const known = picture?.stages[stage] !== undefined;
  return {
    ...{ mode, view, colors, threshold, average },
    ...{ rowTitle: 'word', columnTitle: 'looks at' },
    stage: known ? stage : 'weights',
    scaling: perRow ? 'row' : 'global',
    palette,
  };
}
