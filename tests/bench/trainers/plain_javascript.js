// Plain JavaScript: forward, backward and update as straightforward loops over typed arrays.

const floats = (count) => new Float32Array(count);

/** y = x W + b: x rows × inner, W inner × out. */
function linear(x, { weight, bias }, inner, out) {
  const rows = x.length / inner;
  const y = floats(rows * out);
  for (let i = 0; i < rows; i++) {
    const row = y.subarray(i * out, (i + 1) * out);
    row.set(bias.data);
    for (let k = 0; k < inner; k++) {
      const factor = x[i * inner + k];
      for (let o = 0; o < out; o++) row[o] += factor * weight.data[k * out + o];
    }
  }
  return y;
}

function linearBackward(x, { weight, bias }, inner, out, dy) {
  const rows = x.length / inner;
  const dx = floats(x.length);
  for (let i = 0; i < rows; i++) {
    const row = dy.subarray(i * out, (i + 1) * out);
    for (let o = 0; o < out; o++) bias.gradient[o] += row[o];
    for (let k = 0; k < inner; k++) {
      const factor = x[i * inner + k];
      let sum = 0;
      for (let o = 0; o < out; o++) {
        sum += row[o] * weight.data[k * out + o];
        weight.gradient[k * out + o] += factor * row[o];
      }
      dx[i * inner + k] = sum;
    }
  }
  return dx;
}

function moments(x, width, i) {
  let mean = 0;
  let variance = 0;
  for (let c = 0; c < width; c++) mean += x[i * width + c] / width;
  for (let c = 0; c < width; c++) variance += (x[i * width + c] - mean) ** 2 / width;
  return [mean, 1 / Math.sqrt(variance + 1e-5)];
}

function norm(x, { weight, bias }, width) {
  const y = floats(x.length);
  for (let i = 0; i < x.length / width; i++) {
    const [mean, factor] = moments(x, width, i);
    for (let c = 0; c < width; c++) {
      y[i * width + c] = (x[i * width + c] - mean) * factor * weight.data[c] + bias.data[c];
    }
  }
  return y;
}

/** Adds the gradient of x to dx. */
function normBackward(x, { weight, bias }, width, dy, dx) {
  for (let i = 0; i < x.length / width; i++) {
    const [mean, factor] = moments(x, width, i);
    let sum = 0;
    let weighted = 0;
    for (let c = 0; c < width; c++) {
      const at = i * width + c;
      const normalized = (x[at] - mean) * factor;
      weight.gradient[c] += dy[at] * normalized;
      bias.gradient[c] += dy[at];
      sum += (dy[at] * weight.data[c]) / width;
      weighted += (dy[at] * weight.data[c] * normalized) / width;
    }
    for (let c = 0; c < width; c++) {
      const at = i * width + c;
      const normalized = (x[at] - mean) * factor;
      dx[at] += factor * (dy[at] * weight.data[c] - sum - normalized * weighted);
    }
  }
}

const root = Math.sqrt(2 / Math.PI);
const cubic = 0.044715;

const gelu = (x) => x.map((z) => 0.5 * z * (1 + Math.tanh(root * (z + cubic * z ** 3))));

const geluBackward = (x, dy) =>
  x.map((z, at) => {
    const t = Math.tanh(root * (z + cubic * z ** 3));
    return dy[at] * 0.5 * (1 + t + z * (1 - t * t) * root * (1 + 3 * cubic * z * z));
  });

/** Causal attention of rows with queries, keys and values side by side; weights: batch × heads × n × n. */
function attend(all, { width, heads, context: n }) {
  const batch = all.length / (n * 3 * width);
  const dim = width / heads;
  const output = floats(batch * n * width);
  const weights = floats(batch * heads * n * n);
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < n; i++) {
        const query = (b * n + i) * 3 * width + h * dim;
        const row = weights.subarray(((b * heads + h) * n + i) * n);
        let largest = -Infinity;
        for (let j = 0; j <= i; j++) {
          const key = (b * n + j) * 3 * width + width + h * dim;
          let score = 0;
          for (let c = 0; c < dim; c++) score += all[query + c] * all[key + c];
          row[j] = score / Math.sqrt(dim);
          largest = Math.max(largest, row[j]);
        }
        let sum = 0;
        for (let j = 0; j <= i; j++) sum += row[j] = Math.exp(row[j] - largest);
        for (let j = 0; j <= i; j++) {
          row[j] /= sum;
          const value = (b * n + j) * 3 * width + 2 * width + h * dim;
          const to = (b * n + i) * width + h * dim;
          for (let c = 0; c < dim; c++) output[to + c] += row[j] * all[value + c];
        }
      }
    }
  }
  return { output, weights };
}

function attendBackward(all, weights, { width, heads, context: n }, dy) {
  const batch = all.length / (n * 3 * width);
  const dim = width / heads;
  const gradient = floats(all.length);
  const products = floats(n);
  for (let b = 0; b < batch; b++) {
    for (let h = 0; h < heads; h++) {
      for (let i = 0; i < n; i++) {
        const query = (b * n + i) * 3 * width + h * dim;
        const from = (b * n + i) * width + h * dim;
        const row = weights.subarray(((b * heads + h) * n + i) * n);
        let mean = 0;
        for (let j = 0; j <= i; j++) {
          const value = (b * n + j) * 3 * width + 2 * width + h * dim;
          products[j] = 0;
          for (let c = 0; c < dim; c++) {
            products[j] += dy[from + c] * all[value + c];
            gradient[value + c] += row[j] * dy[from + c];
          }
          mean += row[j] * products[j];
        }
        for (let j = 0; j <= i; j++) {
          const key = (b * n + j) * 3 * width + width + h * dim;
          const d = (row[j] * (products[j] - mean)) / Math.sqrt(dim);
          for (let c = 0; c < dim; c++) {
            gradient[query + c] += d * all[key + c];
            gradient[key + c] += d * all[query + c];
          }
        }
      }
    }
  }
  return gradient;
}

const add = (x, part) => {
  for (let at = 0; at < x.length; at++) x[at] += part[at];
};

/** Loss and gradients of a batch. */
function gradientsOf(sizes, p, { ids, targets }) {
  const { width, layers, vocabulary, context } = sizes;
  const hidden = 4 * width;
  const part = (name) => ({ weight: p[`${name}.weight`], bias: p[`${name}.bias`] });
  const flat = ids.flat();
  for (const { gradient } of Object.values(p)) gradient.fill(0);

  const x = floats(flat.length * width);
  flat.forEach((id, i) => {
    for (let c = 0; c < width; c++) {
      const position = p['decoder.positions'].data[(i % context) * width + c];
      x[i * width + c] = p.embedding.data[id * width + c] + position;
    }
  });
  const saved = [];
  for (let n = 0; n < layers; n++) {
    const at = `decoder.layers.${n}.`;
    const input = x.slice();
    const normalized = norm(x, part(`${at}self.norm`), width);
    const all = linear(normalized, part(`${at}self.queryKeyValue`), width, 3 * width);
    const { output, weights } = attend(all, sizes);
    add(x, linear(output, part(`${at}self.output`), width, width));
    const middle = x.slice();
    const second = norm(x, part(`${at}feedForward.norm`), width);
    const up = linear(second, part(`${at}feedForward.up`), width, hidden);
    const activated = gelu(up);
    add(x, linear(activated, part(`${at}feedForward.down`), hidden, width));
    saved.push({ at, input, normalized, all, output, weights, middle, second, up, activated });
  }
  const last = norm(x, part('decoder.norm'), width);

  const flatTargets = targets.flat();
  const counted = flatTargets.filter((id) => id >= 0).length;
  const dlast = floats(last.length);
  let loss = 0;
  flatTargets.forEach((target, i) => {
    if (target < 0) return;
    const logits = floats(vocabulary);
    for (let v = 0; v < vocabulary; v++) {
      for (let c = 0; c < width; c++) logits[v] += last[i * width + c] * p.head.data[v * width + c];
    }
    const largest = Math.max(...logits);
    const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
    loss += (largest + Math.log(sum) - logits[target]) / counted;
    for (let v = 0; v < vocabulary; v++) {
      const d = (Math.exp(logits[v] - largest) / sum - Number(v === target)) / counted;
      for (let c = 0; c < width; c++) {
        p.head.gradient[v * width + c] += d * last[i * width + c];
        dlast[i * width + c] += d * p.head.data[v * width + c];
      }
    }
  });

  const dx = floats(x.length);
  normBackward(x, part('decoder.norm'), width, dlast, dx);
  for (const layer of saved.reverse()) {
    const { at, input, normalized, all, output, weights, middle, second, up, activated } = layer;
    let d = linearBackward(activated, part(`${at}feedForward.down`), hidden, width, dx);
    d = geluBackward(up, d);
    d = linearBackward(second, part(`${at}feedForward.up`), width, hidden, d);
    normBackward(middle, part(`${at}feedForward.norm`), width, d, dx);
    d = linearBackward(output, part(`${at}self.output`), width, width, dx);
    d = attendBackward(all, weights, sizes, d);
    d = linearBackward(normalized, part(`${at}self.queryKeyValue`), width, 3 * width, d);
    normBackward(input, part(`${at}self.norm`), width, d, dx);
  }
  flat.forEach((id, i) => {
    for (let c = 0; c < width; c++) {
      p.embedding.gradient[id * width + c] += dx[i * width + c];
      p['decoder.positions'].gradient[(i % context) * width + c] += dx[i * width + c];
    }
  });
  return loss;
}

function update(p, step, { learningRate, betas: [beta1, beta2], weightDecay, clip }) {
  let square = 0;
  for (const { gradient } of Object.values(p)) for (const g of gradient) square += g * g;
  const factor = Math.min(1, clip / Math.sqrt(square));
  for (const { data, gradient, first, second, decays } of Object.values(p)) {
    for (let at = 0; at < data.length; at++) {
      const g = gradient[at] * factor;
      first[at] = beta1 * first[at] + (1 - beta1) * g;
      second[at] = beta2 * second[at] + (1 - beta2) * g * g;
      if (decays) data[at] -= learningRate * weightDecay * data[at];
      const mean = first[at] / (1 - beta1 ** step);
      data[at] -= (learningRate * mean) / (Math.sqrt(second[at] / (1 - beta2 ** step)) + 1e-8);
    }
  }
}

export const plainJavaScript = {
  name: 'plain JavaScript',
  async open(sizes, parameters, optimizer) {
    const entries = Object.entries(parameters).map(([name, { data, decays }]) => {
      const empty = () => floats(data.length);
      return [
        name,
        { data: data.slice(), gradient: empty(), first: empty(), second: empty(), decays },
      ];
    });
    const p = Object.fromEntries(entries);
    let steps = 0;
    return {
      step(batch) {
        const loss = gradientsOf(sizes, p, batch);
        update(p, ++steps, optimizer);
        return loss;
      },
    };
  },
};
