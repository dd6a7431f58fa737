// Colors of the tour's numbers: with signs, and for cells without a shade.

import { colorScale } from 'attention-wasm/heatmap';

/** @import { Palette } from '../palette.js' */
/** @typedef {ReturnType<typeof tourPalette>} TourPalette */

/** @param {Palette} palette */
export function tourPalette(palette) {
  const { surface, ink, muted } = palette;
  return {
    ...palette,
    signedShadeOf: colorScale({ surface, signed: true }).colorOf,
    plain: { fill: surface, text: ink },
    hidden: { fill: surface, text: muted },
    read: palette.shadeOf(1),
  };
}
