// attentionBackward(): reads the arguments and leaves everything else to the module.
import { attentionFields, attentionOptions } from '../arguments/attention_options.js';
import { oneOf, readOptions } from '../arguments/options.js';
import { readTensor, tensor } from '../arguments/tensor.js';

const onRequest = /** @type {const} */ (['mask', 'slopes', 'sinks']);
const known = /* @__PURE__ */ oneOf(onRequest);

function names(value, name) {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be an array of names`);
  return value.map((item, at) => known(item, `${name}[${at}]`));
}

export function attentionBackward(heap) {
  const kinds = { ...attentionOptions, gradients: names };
  // Options that do not change the output.
  for (const name of ['weights', 'scores', 'logSumExp']) delete kinds[name];
  const results = { output: tensor, logSumExp: tensor };

  return {
    attentionBackward(query, key, value, forward, gradient, options) {
      const { gradients = [], ...chosen } = readOptions('attentionBackward', options, kinds);
      const fields = attentionFields(chosen, heap.enums);
      fields.query = readTensor('query', query);
      fields.key = readTensor('key', key);
      fields.value = readTensor('value', value);
      const { output, logSumExp: sums } = readOptions(
        'attentionBackward',
        // Other results of attention() are not used.
        { output: forward?.output, logSumExp: forward?.logSumExp },
        results,
        ['output', 'logSumExp'],
        'result of attention()',
      );
      const computed = heap.call('attentionBackward', {
        ...fields,
        forwardOutput: output,
        forwardLogSumExp: sums,
        gradient: readTensor('gradient', gradient),
        returnMaskGradient: gradients.includes('mask'),
        returnSlopesGradient: gradients.includes('slopes'),
        returnSinksGradient: gradients.includes('sinks'),
      });
      const byName = ['query', 'key', 'value', ...gradients].map((name) => [
        name,
        computed[`${name}Gradient`],
      ]);
      return Object.fromEntries(byName);
    },
  };
}
