// One head of a picture at one stage, or the average of all: rows × columns numbers.

const averages = new WeakMap();

/** `head`: a number, or 'average'; a head that the picture does not have is its nearest. */
export function valuesOf(picture, stage, head) {
  const all = stage === 'difference' ? picture.difference : picture.stages[stage];
  const size = picture.rows.length * picture.columns.length;
  // A difference may be of one head only, the one that is shown.
  const heads = size === 0 ? 1 : Math.round(all.length / size);
  if (heads === 1) return all;
  if (head === 'average') return averageOf(all, size, heads);
  const index = Math.max(0, Math.min(heads - 1, head ?? 0));
  return all.subarray(index * size, (index + 1) * size);
}

/** The mean over `heads` blocks of `size` numbers; remembered as long as they are. */
export function averageOf(all, size, heads) {
  let average = averages.get(all);
  if (!average) {
    average = new Float32Array(size);
    for (let at = 0; at < size; at++) {
      let sum = 0;
      for (let head = 0; head < heads; head++) sum += all[head * size + at];
      average[at] = sum / heads;
    }
    averages.set(all, average);
  }
  return average;
}

/**
 * The weight of the strongest colour: the largest, unless all are near the average, 1 / width: then the
 * picture is pale, as it should be where nothing stands out.
 */
export function topWeight(weights, width) {
  let most = 4 / width;
  for (const weight of weights) if (weight > most) most = weight;
  return Math.min(1, most);
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
