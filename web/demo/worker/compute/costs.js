// Benchmark of softmax and linear attention on vectors of a given count, without returned weights. Each round has
// enough calls for the resolution of the clock; the result is the median round. Clocks of virtual machines can stand
// still while a thread changes its core: the work of a round is limited, and rounds that took no time do not count.

const kinds = {
  softmax: (api, { query, key, value }) => api.attention(query, key, value),
  linear: (api, { query, key, value }) =>
    api.linearAttention(query, key, value, { featureMap: 'elu' }),
};

const rounds = 5;
const minRoundMs = 12; // some clocks have a resolution of 1 ms
const maxProducts = 1e9; // of a round, about a second
const shortest = 0.005; // ms, the resolution of the finest clocks
const warmUpMs = 100; // after which the engine has optimized the code
const maxWarmUp = 50_000; // calls of each kind
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
  const maxCalls = Math.ceil(maxProducts / (2 * length * length * dim));
  return Object.fromEntries(calls.map(([kind, call]) => [kind, timeOf(call, maxCalls)]));
}

function warmUp(calls) {
  const start = performance.now();
  for (let n = 0; n < maxWarmUp && performance.now() - start < warmUpMs; n++) {
    for (const [, call] of calls) call();
  }
  isWarm = true;
}

function timeOf(call, maxCalls) {
  const timed = (count) => {
    const start = performance.now();
    for (let n = 0; n < count; ++n) call();
    return performance.now() - start;
  };
  let count = 1;
  for (let time = timed(count); time < minRoundMs && count < maxCalls; time = timed(count)) {
    count = Math.min(maxCalls, count * (time > minRoundMs / 10 ? 2 : 8));
  }
  const times = Array.from({ length: rounds }, () => timed(count)).filter((time) => time > 0);
  times.sort((a, b) => a - b);
  return (times[times.length >> 1] ?? shortest) / count;
}

// The values do not affect the time.
function waves(rows, dim, phase) {
  const data = Float32Array.from({ length: rows * dim }, (_, at) => Math.sin(0.7 * at + phase));
  return { data, dims: [1, 1, rows, dim] };
}
