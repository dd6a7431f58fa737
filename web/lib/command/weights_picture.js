// The option --picture: the selected weights as SVG.

import { heatmapSVG } from '../heatmap.js';
import { UsageError } from './shell_options.js';

const size = { width: 480 };

/**
 * Throws if --picture names no file, or the request selects several matrices.
 *
 * @param {{ picture?: string }} values
 * @param {{ shows: string, layer?: unknown, head?: unknown }} request
 */
export function checkPicture({ picture }, { layer, head }) {
  if (picture === '') throw new UsageError('--picture is ""; expected a file');
  if (picture !== undefined && (layer === 'all' || head === 'all')) {
    throw new UsageError('--picture draws one matrix and cannot be combined with "all"');
  }
}

/** An SVG of a matrix. */
export const pictureOfMatrix = (weights, rowLabels, columnLabels) =>
  heatmapSVG({ weights, rowLabels, columnLabels }, size);

/** An SVG of the result of selectWeights(). */
export const pictureOfWeights = ({ rows, columns, matrices }) =>
  pictureOfMatrix({ data: matrices[0].data, dims: [rows.length, columns.length] }, rows, columns);
