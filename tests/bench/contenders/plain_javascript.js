// Plain JavaScript: straightforward loops over typed arrays.

/** One head: query [qLen × dim], key and value [kLen × dim] → output, and weights if there is room for them. */
function attendHead({ query, key, value, output, weights }, { qLen, kLen, dim, causal }) {
  const scale = 1 / Math.sqrt(dim);
  const row = new Float32Array(kLen);
  for (let i = 0; i < qLen; i++) {
    const seen = causal ? i + 1 + kLen - qLen : kLen;
    let largest = -Infinity;
    for (let j = 0; j < seen; j++) {
      let score = 0;
      for (let c = 0; c < dim; c++) score += query[i * dim + c] * key[j * dim + c];
      row[j] = score * scale;
      if (row[j] > largest) largest = row[j];
    }
    let sum = 0;
    for (let j = 0; j < seen; j++) {
      row[j] = Math.exp(row[j] - largest);
      sum += row[j];
    }
    for (let j = 0; j < seen; j++) {
      const weight = row[j] / sum;
      if (weights) weights[i * kLen + j] = weight;
      for (let c = 0; c < dim; c++) output[i * dim + c] += weight * value[j * dim + c];
    }
  }
}

function attend(shape, { query, key, value }) {
  const { heads, qLen, kLen, dim } = shape;
  const output = new Float32Array(heads * qLen * dim);
  const weights = shape.weights ? new Float32Array(heads * qLen * kLen) : undefined;
  const part = (array, head, size) => array?.subarray(head * size, (head + 1) * size);
  for (let head = 0; head < heads; head++) {
    const arrays = {
      query: part(query, head, qLen * dim),
      key: part(key, head, kLen * dim),
      value: part(value, head, kLen * dim),
      output: part(output, head, qLen * dim),
      weights: part(weights, head, qLen * kLen),
    };
    attendHead(arrays, shape);
  }
  return { output, weights };
}

/** rows × inner times inner × columns, plus a row. */
function product(left, right, bias, rows, inner, columns) {
  const result = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    result.set(bias, i * columns);
    for (let k = 0; k < inner; k++) {
      const factor = left[i * inner + k];
      for (let j = 0; j < columns; j++) result[i * columns + j] += factor * right[k * columns + j];
    }
  }
  return result;
}

/** rows × count × size → count × rows × size: from tokens to heads, and with rows and count swapped back. */
function swapped(data, rows, count, size) {
  const moved = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < count; j++) {
      const from = (i * count + j) * size;
      moved.set(data.subarray(from, from + size), (j * rows + i) * size);
    }
  }
  return moved;
}

function layer(shape, { x, inOut, biases }) {
  const { qLen, heads, dim, modelDim } = shape;
  const project = (rows, name) =>
    product(rows, inOut[name], biases[name], qLen, modelDim, modelDim);
  const apart = (name) => swapped(project(x, name), qLen, heads, dim);
  const { output } = attend(shape, {
    query: apart('query'),
    key: apart('key'),
    value: apart('value'),
  });
  return { output: project(swapped(output, heads, qLen, dim), 'output') };
}

export const plainJavaScript = {
  name: 'plain JavaScript',
  threads: 1,
  /** Max operations, to limit the time of the run. */
  mostOperations: 1.5e9,
  open: () => (shape, inputs) => [
    {
      name: 'loops',
      layout: shape.kind === 'layer' ? 'x' : 'headsFirst',
      prepare: () => ({
        run: () =>
          shape.kind === 'layer' ? layer(shape, inputs) : attend(shape, inputs.headsFirst),
      }),
    },
  ],
};
