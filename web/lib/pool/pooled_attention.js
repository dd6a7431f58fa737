// attention() on the pool: divided, computed by the workers, put together.
import { abortSignal } from '../arguments/abort_signal.js';
import { partOfCall, putPart } from './attention_shares.js';
import { library } from './library.js';
import { countWork, divide } from './shares.js';
import { countOf, emptyTensors } from './tensor_part.js';

export const memoryOf = (fields) =>
  Object.values(fields)
    .filter((field) => ArrayBuffer.isView(field?.data))
    .map(({ data }) => data.buffer);

const kinds = { ...library.attentionOptions, signal: abortSignal };

/** Results put together, of shares that are answered one by one. */
async function together(answers, shares, dims, context) {
  const results = emptyTensors(dims);
  const placed = answers.map(async (answer, at) => {
    const parts = await answer;
    shares[at].forEach((box, index) => putPart(results, box, parts[index], context));
  });
  await Promise.all(placed);
  return results;
}

/** The results of a single share that is the whole call. */
const alone = async ([answer]) => (await answer)[0];

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
      const work = countWork(read, facts) * (facts.keyDim + facts.valueDim);
      const numbers = Object.values(tensors).reduce((sum, tensor) => sum + countOf(tensor.dims), 0);
      const wanted = workers.wantedFor(work, numbers);
      if (wanted < 1) return library.inStages(heap.call('attention', fields), read.scores);

      // Nothing quadratic is asked for: keys that a share does not see stay here.
      const trims = !read.weights && !read.scores;
      const shares = divide(read, facts, wanted, read.weights === 'average');
      const compute = async () => {
        const links = workers.idlest(shares.length);
        const answers = shares.map((share, at) => {
          const calls = share.map((box) => {
            const part = partOfCall(box, tensors, read, facts, trims);
            const own = { ...library.attentionFields(part.options, heap.enums), ...part.tensors };
            return { name: 'attention', fields: own };
          });
          const transfer = calls.flatMap((call) => memoryOf(call.fields));
          return links[at].ask({ task: 'call', calls }, transfer, signal);
        });
        const context = { rank: tensors.query.dims.length, options: read, facts };
        const isAlone = shares.length === 1 && shares[0].length === 1;
        return isAlone ? alone(answers) : together(answers, shares, dims, context);
      };
      return library.inStages(await workers.untilAborted(signal, compute), read.scores);
    },
  };
}
