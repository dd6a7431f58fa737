// Head averages of weights that come from several workers.
import { emptyTensor } from './worker_tensors.js';

/** The mean over heads of weights … × heads × qLen × kLen, rounded as the module rounds it. */
export function averageHeads({ data, dims }, heads, averageDims) {
  const average = emptyTensor(averageDims);
  const size = dims.at(-2) * dims.at(-1);
  for (let at = 0; at < data.length; at++) {
    const head = Math.floor(at / size) % heads;
    const to = Math.floor(at / (size * heads)) * size + (at % size);
    const sum = Math.fround(average.data[to] + data[at]);
    average.data[to] = head === heads - 1 ? sum / heads : sum;
  }
  return average;
}
