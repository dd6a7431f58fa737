// Views (see matrix_table.js) as SVG, and the option --picture.

import { heatmapSVG } from '../heatmap.js';
import { UsageError } from './shell_options.js';

const size = { width: 480 };

/** Throws if the values of a request with --picture select several matrices. */
export function checkPicture({ picture, layer, head }) {
  if (picture !== undefined && (layer === 'all' || head === 'all')) {
    throw new UsageError('--picture draws one matrix and cannot be combined with "all"');
  }
}

/**
 * An SVG of the first matrix of a view.
 *
 * @param {Pick<import('./matrix_table.js').View, 'rows' | 'columns' | 'matrices' | 'causal'>} view
 */
export function pictureOf({ rows, columns, matrices: [{ data }], causal }) {
  const isMasked = (_, i) => (i % columns.length > Math.floor(i / columns.length) ? 1 : 0);
  return heatmapSVG(
    {
      weights: { data, dims: [rows.length, columns.length] },
      rowLabels: rows,
      columnLabels: columns,
      unseen: causal ? Array.from(data, isMasked) : null,
    },
    size,
  );
}
