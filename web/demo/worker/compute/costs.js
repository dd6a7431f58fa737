// Benchmark of softmax and linear attention on vectors of a given count, without returned weights. Each round has
// enough calls for the resolution of the clock; the result is the fastest round, which other programs disturbed least.

const kinds = {
  softmax: (api, { query, key, value }) => api.attention(query, key, value),
  linear: (api, { query, key, value }) =>
    api.linearAttention(query, key, value, { featureMap: 'elu' }),
};

const rounds = 5;
const minRoundMs = 12; // some clocks have a resolution of 1 ms
const warmUpMs = 100; // after which the engine has optimized the code
let isWarm = false;

/** @returns {{ softmax: number, linear: number }} milliseconds of a call with `length` vectors of `dim` numbers */
export function measureCosts(api, { length, dim }) {
  const tensors = {
    query: waves(length, dim, 1),
    key: waves(length, dim, 2),
    value: waves(length, dim, 3),
  };
  const calls = Object.entries(kinds).map(([kind, call]) => [kind, () => call(api, tensors)]);
  if (!isWarm) warmUp(calls);
  return Object.fromEntries(calls.map(([kind, call]) => [kind, fastestOf(call)]));
}

function warmUp(calls) {
  const start = performance.now();
  while (performance.now() - start < warmUpMs) for (const [, call] of calls) call();
  isWarm = true;
}

function fastestOf(call) {
  const timed = (count) => {
    const start = performance.now();
    for (let n = 0; n < count; ++n) call();
    return performance.now() - start;
  };
  let count = 1;
  for (let time = timed(count); time < minRoundMs; time = timed(count)) {
    count *= time > minRoundMs / 10 ? 2 : 8;
  }
  return Math.min(...Array.from({ length: rounds }, () => timed(count))) / count;
}

// The values do not affect the time.
function waves(rows, dim, phase) {
  const data = Float32Array.from({ length: rows * dim }, (_, at) => Math.sin(0.7 * at + phase));
  return { data, dims: [1, 1, rows, dim] };
}
