// Benchmark of softmax, linear and efficient attention on vectors of a given count, without returned weights. Each
// round has enough calls for the resolution of the clock; the result is the median of the rounds.

const kinds = {
  softmax: (api, { query, key, value }) => api.attention(query, key, value),
  linear: (api, { query, key, value }) =>
    api.linearAttention(query, key, value, { featureMap: 'elu' }),
  efficient: (api, { query, key, value }) =>
    api.linearAttention(query, key, value, { featureMap: 'efficient' }),
};

const rounds = 5;
const minRoundMs = 12; // some clocks have a resolution of 1 ms
const warmUpMs = 100; // after which the engine has optimized the code
let isWarm = false;

/** @returns {{ kind: string, milliseconds: number }[]} */
export function measureCosts(api, { length, dim }) {
  const tensors = {
    query: waves(length, dim, 1),
    key: waves(length, dim, 2),
    value: waves(length, dim, 3),
  };
  if (!isWarm) {
    const start = performance.now();
    while (performance.now() - start < warmUpMs) {
      for (const call of Object.values(kinds)) call(api, tensors);
    }
    isWarm = true;
  }
  return Object.entries(kinds).map(([kind, call]) => ({
    kind,
    milliseconds: medianOf(() => call(api, tensors)),
  }));
}

function medianOf(call) {
  const timed = (count) => {
    const start = performance.now();
    for (let n = 0; n < count; ++n) call();
    return performance.now() - start;
  };
  let count = 1;
  for (let time = timed(count); time < minRoundMs; time = timed(count)) {
    count *= time > minRoundMs / 10 ? 2 : 8;
  }
  const times = Array.from({ length: rounds }, () => timed(count));
  return times.sort((a, b) => a - b)[(rounds - 1) / 2] / count;
}

// The values do not affect the time.
function waves(rows, dim, phase) {
  const data = Float32Array.from({ length: rows * dim }, (_, at) => Math.sin(0.7 * at + phase));
  return { data, dims: [1, 1, rows, dim] };
}
