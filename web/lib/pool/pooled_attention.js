// Strategy of attention(): divides the call into shards of heads and query blocks, and combines the results of the
// workers.
import { abortSignal } from '../arguments/abort_signal.js';
import { sizeOf } from '../arguments/dims.js';
import { library } from './library.js';
import { countWork, divide } from './shards.js';
import { mappedTensors } from './worker_tensors.js';

const kinds = { ...library.attentionOptions, signal: abortSignal };

/** Writes the results of a call from the results of its shards; write: as writeResult(). */
async function combine(answers, shards, results, write) {
  const writes = answers.map(async (answer, at) => {
    const { results: shardResults, reuse } = await answer;
    shards[at].forEach((range, index) => {
      for (const [name, result] of Object.entries(results)) {
        write(name, result, range, shardResults[index][name].data);
      }
    });
    reuse();
  });
  await Promise.all(writes);
  return results;
}

/** The results of a call that is a single shard. */
const single = async (answer) => (await answer).results[0];

export function pooledAttention(heap, workers) {
  return {
    async attention(query, key, value, options) {
      workers.requireOpen();
      const read = library.readOptions('attention', options, kinds);
      const { signal } = read;
      const tensors = {
        query: library.readTensor('query', query),
        key: library.readTensor('key', key),
        value: library.readTensor('value', value),
      };
      signal?.throwIfAborted();
      const fields = { ...library.attentionFields(read, heap.enums), ...tensors };
      const { facts, dims } = heap.plan('attention', fields);
      const sizes = { ...facts, block: heap.enums.Block.queries };
      const work = countWork(read, sizes) * (facts.keyDim + facts.valueDim);
      const numbers = Object.values(tensors).reduce((sum, tensor) => sum + sizeOf(tensor.dims), 0);
      const count = workers.workersFor(work, numbers);
      if (count < 1) return library.groupScores(heap.call('attention', fields), read.scores);

      const shards = divide(read, sizes, count, read.weights === 'average');
      const compute = async () => {
        const clients = workers.idlest(shards.length);
        const answers = shards.map((shard, at) => {
          const ranges = library.callsOfRanges(fields, shard, facts, workers.allocate);
          const calls = Array.from(ranges, (range) => ['attention', range]);
          return workers.call(clients[at], calls, signal);
        });
        const write = (name, result, range, numbers) =>
          library.writeResult(name, result, range, numbers, fields, facts, heap.enums);
        const isSingle = shards.length === 1 && shards[0].length === 1;
        return isSingle
          ? single(answers[0])
          : combine(answers, shards, mappedTensors(dims, heap.released), write);
      };
      return library.groupScores(await workers.untilAborted(signal, compute), read.scores);
    },
  };
}
