// Stacks of Transformer layers with separate weights, as in BERT and GPT-2:
//
//   encoder  y = norm(x + attention(x)),     x' = norm(y + W_2 gelu(W_1 y))
//   decoder  y = x + attention(norm(x)),     x' = y + W_2 gelu(W_1 norm(y)), causal
//
// Matrices are in × out. Expected results are computed here in float64.

const norms = ['selfNorm', 'feedForwardNorm'];

/** The matrices of a layer with their input and output widths. */
export function layerMatrices({ modelDim, hiddenDim }) {
  const square = { rows: modelDim, columns: modelDim };
  return {
    ...Object.fromEntries(['query', 'key', 'value', 'output'].map((name) => [name, square])),
    widen: { rows: modelDim, columns: hiddenDim },
    narrow: { rows: hiddenDim, columns: modelDim },
  };
}

/**
 * @param {object} shape
 * @param {(length: number, factor: number) => Float32Array} fill numbers from -1 to 1, times factor
 * @returns {{ x: Float32Array, layers: Record<string, Float32Array>[] }} biases are called queryBias and so on
 */
export function stackInputs(shape, fill) {
  const { qLen, modelDim, layers } = shape;
  const x = fill(qLen * modelDim, 1);
  const made = Array.from({ length: layers }, () => {
    const layer = {};
    for (const [name, { rows, columns }] of Object.entries(layerMatrices(shape))) {
      layer[name] = fill(rows * columns, Math.sqrt(3 / rows)); // keeps the input's variance
      layer[`${name}Bias`] = fill(columns, 0.1);
    }
    for (const name of norms) {
      layer[name] = fill(modelDim, 0.1).map((number) => 1 + number);
      layer[`${name}Bias`] = fill(modelDim, 0.1);
    }
    return layer;
  });
  return { x, layers: made };
}

/** rows × matrix + bias, four rows of x at a time, so that the matrix is read less often. */
function product(x, matrix, bias) {
  const columns = bias.length;
  const inner = matrix.length / columns;
  const rows = x.length / inner;
  const result = new Float64Array(4 * Math.ceil(rows / 4) * columns);
  for (let i = 0; i < rows; i += 4) {
    const sums = [0, 1, 2, 3].map((row) =>
      result.subarray((i + row) * columns, (i + row + 1) * columns),
    );
    const [a, b, c, d] = sums;
    for (const sum of sums) sum.set(bias);
    for (let k = 0; k < inner; k++) {
      const [xa, xb, xc, xd] = [0, 1, 2, 3].map((row) => x[(i + row) * inner + k]);
      const from = k * columns;
      for (let j = 0; j < columns; j++) {
        const weight = matrix[from + j];
        a[j] += xa * weight;
        b[j] += xb * weight;
        c[j] += xc * weight;
        d[j] += xd * weight;
      }
    }
  }
  return result.subarray(0, rows * columns);
}

export function norm(x, weight, bias, epsilon) {
  const width = weight.length;
  const result = new Float64Array(x.length);
  for (let start = 0; start < x.length; start += width) {
    const row = x.subarray(start, start + width);
    const mean = row.reduce((one, other) => one + other) / width;
    const variance = row.reduce((sum, number) => sum + (number - mean) ** 2, 0) / width;
    for (let c = 0; c < width; c++) {
      result[start + c] = ((row[c] - mean) / Math.sqrt(variance + epsilon)) * weight[c] + bias[c];
    }
  }
  return result;
}

/** erf with error below 1.5e-7 (Abramowitz & Stegun, 7.1.26). */
function errorFunction(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const factors = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const sum = factors.reduce((before, factor) => (before + factor) * t, 0);
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

const gelus = {
  encoder: (x) => (x / 2) * (1 + errorFunction(x / Math.SQRT2)),
  decoder: (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
};

function attention(x, layer, { kind, heads, dim, modelDim }, attendRow) {
  const rows = x.length / modelDim;
  const [query, key, value] = ['query', 'key', 'value'].map((name) =>
    product(x, layer[name], layer[`${name}Bias`]),
  );
  const mixed = new Float64Array(x.length);
  const part = (data, head) => {
    const taken = new Float64Array(rows * dim);
    for (let row = 0; row < rows; row++) {
      const from = row * modelDim + head * dim;
      taken.set(data.subarray(from, from + dim), row * dim);
    }
    return taken;
  };
  for (let head = 0; head < heads; head++) {
    const [q, k, v] = [query, key, value].map((data) => part(data, head));
    for (let row = 0; row < rows; row++) {
      const seen = kind === 'decoder' ? row + 1 : rows;
      const own = q.subarray(row * dim, (row + 1) * dim);
      const { output } = attendRow(own, k, v, { dim, kLen: rows }, seen);
      mixed.set(output, row * modelDim + head * dim);
    }
  }
  return product(mixed, layer.output, layer.outputBias);
}

/** Output rows of the last layer: { row, output }. attendRow: one query of one head. */
export function stackRows(shape, { x, layers }, attendRow) {
  const { kind, qLen, modelDim, epsilon = 1e-5 } = shape;
  const add = (one, other) => one.map((number, at) => number + other[at]);
  let rows = Float64Array.from(x);
  for (const layer of layers) {
    const [selfNorm, feedForwardNorm] = norms.map(
      (name) => (numbers) => norm(numbers, layer[name], layer[`${name}Bias`], epsilon),
    );
    const attend = (numbers) => attention(numbers, layer, shape, attendRow);
    const feedForward = (numbers) => {
      const hidden = product(numbers, layer.widen, layer.widenBias).map(gelus[kind]);
      return product(hidden, layer.narrow, layer.narrowBias);
    };
    if (kind === 'encoder') {
      rows = selfNorm(add(rows, attend(rows)));
      rows = feedForwardNorm(add(rows, feedForward(rows)));
    } else {
      rows = add(rows, attend(selfNorm(rows)));
      rows = add(rows, feedForward(feedForwardNorm(rows)));
    }
  }
  return Array.from({ length: qLen }, (_, row) => ({
    row,
    output: rows.slice(row * modelDim, (row + 1) * modelDim),
  }));
}
