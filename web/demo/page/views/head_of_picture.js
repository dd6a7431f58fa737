// The numbers of one head of a picture, and what can be said of them: the strongest, how far they spread.

/**
 * rows × columns of a stage.
 * @param {import('../../types').Picture} picture
 * @param {import('../../types').Stage} stage
 */
export function valuesOf(picture, stage, head) {
  const size = picture.rows.length * picture.columns.length;
  return picture.stages[stage].subarray(head * size, (head + 1) * size);
}

/**
 * The weight of the strongest colour: the largest, unless all are near the average, 1 / width: then the
 * picture is pale, as it should be where nothing stands out.
 */
export function topWeight(weights, width) {
  let top = Math.min(1, 4 / width);
  for (const weight of weights) top = Math.max(top, Math.abs(weight));
  return top;
}

/** Whether any is below 0, as those of some kinds are. */
export const hasNegative = (weights) => weights.some((weight) => weight < 0);

/** part → its heads, in their order. */
export function layersOf(thumbnails) {
  const layers = new Map();
  for (const one of thumbnails) layers.set(one.part, [...(layers.get(one.part) ?? []), one]);
  return layers;
}

/** A head as weights for the heat map, with its own scale; `scaling` is 'row' or 'global'. */
export function optionsOfHead({ weights, rows, columns }, scaling) {
  const signed = hasNegative(weights);
  const global = signed ? 'global' : [0, topWeight(weights, columns)];
  const domain = scaling === 'row' ? 'row' : global;
  return { weights: { data: weights, dims: [rows, columns] }, signed, domain };
}

/** To how many words a row goes on average, as exp(entropy). */
export function spreadOf(weights, rows, columns) {
  let total = 0;
  for (let row = 0; row < rows; row++) {
    let entropy = 0;
    for (let at = row * columns; at < (row + 1) * columns; at++) {
      if (weights[at] > 0) entropy -= weights[at] * Math.log(weights[at]);
    }
    total += Math.exp(entropy);
  }
  return rows > 0 ? total / rows : 0;
}

/** What has the cross-hair: what is pointed at, the rest as it is selected. */
export function pointedIn(selection) {
  return { row: selection.row, column: selection.column, ...selection.hovered };
}
