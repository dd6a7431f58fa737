// What the views go by besides the picture and the place in it.

/** `palette` as readPalette() gives it; `picture` may be null. */
export function settingsOf(state, picture, palette) {
  const { view, stage, colors, threshold, perRow, mode, average } = state;
  const known = picture?.stages[stage] !== undefined;
  const titles = mode === 'cross' ? { rowTitle: 'reading', columnTitle: 'context' } : {};
  return {
    ...{ mode, view, colors, threshold, average },
    ...titles,
    stage: known ? stage : 'weights',
    scaling: perRow ? 'row' : 'global',
    palette,
  };
}
