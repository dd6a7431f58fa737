// Settings of the views, derived from the state.

/**
 * True if settings such as kind or scale change only the picture: a trained model keeps its own softmax, scale and
 * mask, so its words and later layers stay the same.
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

/** Settings of the views. `palette`: result of readPalette(); `picture` may be null. */
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
