// attention() on the pool: divided, computed by the workers, put together.
import { partOfCall, putPart } from './attention_shares.js';
import { library } from './library.js';
import { countWork, divide } from './shares.js';
import { countOf, emptyTensors } from './tensor_part.js';

export const memoryOf = (fields) =>
  Object.values(fields)
    .filter((field) => ArrayBuffer.isView(field?.data))
    .map(({ data }) => data.buffer);

export function pooledAttention(heap, workers) {
  return {
    async attention(query, key, value, options) {
      workers.requireOpen();
      const read = library.readOptions('attention', options, library.attentionOptions);
      const tensors = {
        query: library.readTensor('query', query),
        key: library.readTensor('key', key),
        value: library.readTensor('value', value),
      };
      const fields = { ...library.attentionFields(read, heap.enums), ...tensors };
      const { facts, dims } = heap.plan('attention', fields);
      const work = countWork(read, facts) * (facts.keyDim + facts.valueDim);
      const numbers = Object.values(tensors).reduce((sum, tensor) => sum + countOf(tensor.dims), 0);
      const wanted = workers.wantedFor(work, numbers);
      if (wanted < 1) return library.inStages(heap.call('attention', fields), read.scores);

      // Nothing quadratic is asked for: keys that a share does not see stay here.
      const trims = !read.weights && !read.scores;
      const shares = divide(read, facts, wanted, read.weights === 'average');
      const links = workers.idlest(shares.length);
      const answers = shares.map((share, at) => {
        const calls = share.map((box) => {
          const part = partOfCall(box, tensors, read, facts, trims);
          const own = { ...library.attentionFields(part.options, heap.enums), ...part.tensors };
          return { name: 'attention', fields: own };
        });
        const transfer = calls.flatMap((call) => memoryOf(call.fields));
        return links[at].ask({ task: 'call', calls }, transfer);
      });
      if (shares.length === 1 && shares[0].length === 1) {
        // The box is the whole call.
        const [results] = await answers[0];
        return library.inStages(results, read.scores);
      }
      const results = emptyTensors(dims);
      const placed = answers.map(async (answer, at) => {
        const parts = await answer;
        shares[at].forEach((box, index) => {
          const context = { rank: tensors.query.dims.length, options: read, facts };
          putPart(results, box, parts[index], context);
        });
      });
      await Promise.all(placed);
      return library.inStages(results, read.scores);
    },
  };
}
