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
 * True if weights are written in percent: by default those of the built-in model and of spelling; those of the reader's
 * model and arrays, which are compared with other programs, are decimals.
 * @param {Pick<State, 'mode' | 'source' | 'numbers'>} state
 */
export const prefersPercent = ({ mode, source, numbers }) =>
  numbers === 'source'
    ? mode === 'learn' || !['own', 'files'].includes(source)
    : numbers === 'percent';

/** @type {WeakMap<object, boolean>} */
const shares = new WeakMap();

/**
 * True if all weights of a picture are shares, from 0 to 1. Others, as 5.0 and −0.3 in an array, are never percent.
 * @param {Pick<Picture, 'stages'>} picture
 */
export function hasShares(picture) {
  const { weights } = picture.stages;
  const known = shares.get(picture);
  const are = known ?? !weights.some((weight) => weight < 0 || weight > 1 + 1e-4);
  if (known === undefined) shares.set(picture, are);
  return are;
}

/**
 * True if the weights of a picture are written in percent.
 * @param {State} state
 * @param {Pick<Picture, 'stages'>} picture
 */
export const isInPercent = (state, picture) => prefersPercent(state) && hasShares(picture);

/**
 * Settings of the views.
 * @template Palette
 * @param {State} state
 * @param {Picture | null} picture
 * @param {Palette} palette result of readPalette()
 */
export function settingsOf(state, picture, palette) {
  const { view, stage, colors, colorBy, threshold, perRow, mode, average } = state;
  const known = picture?.stages[stage] !== undefined;
  return {
    ...{ mode, view, colors, colorBy, threshold, average },
    ...{ rowTitle: 'word', columnTitle: 'looks at' },
    stage: known ? stage : 'weights',
    scaling: perRow ? 'row' : 'global',
    isPercent: picture !== null && isInPercent(state, picture),
    palette,
  };
}
