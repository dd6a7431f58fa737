// What of a picture is drawn, and in which order: special tokens left out, pieces of a word put
// together, columns sorted. A row or column of the result stands for one or more tokens.

/**
 * Attention to a word is the sum over its pieces, attention from it their mean (Clark et al. 2019,
 * "What Does BERT Look At?", section 4.1); scores, which do not add up, are meant over both.
 */
export function arrange(picture, { hideSpecial, merge, sort, row }) {
  const [rows, columns] = groupTokens(picture, { hideSpecial, merge });
  const arranged = { ...picture, rowTokens: rows, columnTokens: columns };
  const untouched =
    rows.length === picture.rows.length && columns.length === picture.columns.length;
  if (!untouched) regroup(arranged, picture);
  if (sort !== 'text') sortColumns(arranged, sort, row);
  return arranged;
}

/** For rows and for columns, which tokens each of them stands for: arrays of indices. */
export function groupTokens({ rows, columns }, settings) {
  const groups = groupsOf(rows, settings);
  return [groups, rows === columns ? groups : groupsOf(columns, settings)];
}

function groupsOf(labels, { hideSpecial, merge }) {
  const groups = [];
  let last = null;
  labels.forEach((label, token) => {
    if (merge && last && last.word === label.word && !last.special && !label.special) {
      last.tokens.push(token);
      return;
    }
    last = null;
    if (hideSpecial && label.special) return;
    last = { word: label.word, special: label.special, tokens: [token] };
    groups.push(last);
  });
  return groups.map(({ tokens }) => tokens);
}

function regroup(arranged, picture) {
  const { rowTokens: rows, columnTokens: columns } = arranged;
  const [height, width] = [picture.rows.length, picture.columns.length];
  const every = (values, share) =>
    values && gather(values, { rows, columns, height, width, heads: picture.heads, share });
  arranged.rows = rows.map((tokens) => labelOf(tokens, picture.rows));
  arranged.columns = columns.map((tokens) => labelOf(tokens, picture.columns));
  const { raw, scaled, masked, weights } = picture.stages;
  const mean = (tokens) => 1 / tokens.length;
  arranged.stages = {
    raw: every(raw, mean),
    scaled: every(scaled, mean),
    masked: every(masked, mean),
    weights: every(weights, () => 1),
  };
  arranged.difference = every(picture.difference, () => 1);
  if (!picture.hidden) return;
  arranged.hidden = new Uint8Array(rows.length * columns.length);
  rows.forEach((some, row) =>
    columns.forEach((others, column) => {
      const seen = some.some((i) => others.some((j) => !picture.hidden[i * width + j]));
      if (!seen) arranged.hidden[row * columns.length + column] = 1;
    }),
  );
}

// `share` is what each of a column's pieces counts.
function gather(values, { rows, columns, height, width, heads, share }) {
  const result = new Float32Array(heads * rows.length * columns.length);
  let at = 0;
  for (let head = 0; head < heads; ++head) {
    for (const some of rows) {
      for (const others of columns) {
        let sum = 0;
        for (const i of some) {
          for (const j of others) sum += values[(head * height + i) * width + j] * share(others);
        }
        result[at++] = sum / some.length;
      }
    }
  }
  return result;
}

/** Weights of all heads of a part with these labels, in the rows and columns of `groups`. */
export function arrangeWeights(weights, labels, [rows, columns]) {
  const [height, width] = [labels.rows.length, labels.columns.length];
  const heads = weights.length / (height * width);
  return gather(weights, { rows, columns, height, width, heads, share: () => 1 });
}

function labelOf(tokens, labels) {
  const [first, last] = [labels[tokens[0]], labels[tokens.at(-1)]];
  if (tokens.length === 1) return first;
  return { ...first, text: tokens.map((token) => labels[token].text).join(''), end: last.end };
}

// By what the row being read attends to, or by what all rows do.
function sortColumns(arranged, sort, token) {
  const { heads, stages, rowTokens, columnTokens } = arranged;
  const [height, width] = [rowTokens.length, columnTokens.length];
  const read = Math.max(
    0,
    rowTokens.findIndex((tokens) => tokens.includes(token)),
  );
  const totals = columnTokens.map((_, column) => {
    let sum = 0;
    for (let head = 0; head < heads; ++head) {
      for (let row = 0; row < height; ++row) {
        if (sort === 'read' && row !== read) continue;
        sum += stages.weights[(head * height + row) * width + column];
      }
    }
    return sum;
  });
  const order = totals.map((_, column) => column).sort((a, b) => totals[b] - totals[a] || a - b);
  const permute = (values) => values?.map((_, at) => values[at - (at % width) + order[at % width]]);
  arranged.columns = order.map((column) => arranged.columns[column]);
  arranged.columnTokens = order.map((column) => columnTokens[column]);
  arranged.stages = Object.fromEntries(
    Object.entries(stages).map(([stage, values]) => [stage, permute(values)]),
  );
  arranged.hidden = permute(arranged.hidden) ?? null;
  arranged.difference = permute(arranged.difference);
}
