// The results of the oracle for a case of the test vectors of any function: { name: tensor }.
import { oracleAttention } from './oracle.js';
import { oracleKernelAttention } from './oracle_kernel_attention.js';
import { unrounded } from './oracle_layout.js';
import { oracleLinearAttention } from './oracle_linear_attention.js';
import { fromTorchNames, oracleMultiHead } from './oracle_multi_head.js';
import { oracleRotaryEmbedding } from './oracle_rotary.js';
import { oracleDecoderLayer, oracleEncoderLayer } from './oracle_transformer.js';

/** Results by name; results of layers have a `trace` of the inputs of their sublayers. */
export function oracleCase(made, round = unrounded) {
  return oracles[made.function](made, round);
}

const masked = (options, mask) => (mask ? { ...options, mask } : options);

const oracles = {
  attention({ inputs: { query, key, value, mask }, options }, round) {
    return oracleAttention(query, key, value, masked(options, mask), round);
  },

  kernelAttention({ inputs: { query, key, value, mask }, options }, round) {
    return oracleKernelAttention(query, key, value, masked(options, mask), round);
  },

  linearAttention({ inputs: { query, key, value, S, z }, options }, round) {
    const given = S ? { ...options, state: { S, z } } : options;
    return oracleLinearAttention(query, key, value, given, round);
  },

  rotaryEmbedding({ inputs: { x, cos, sin }, options }, round) {
    const given = cos ? { ...options, cos, sin } : options;
    return { output: oracleRotaryEmbedding(x, given, round) };
  },

  multiHeadAttention({ inputs, weights, options, construct }, round) {
    const { x, context = x, mask } = inputs;
    const torch = construct.form === 'torch';
    const parameters = torch ? fromTorchNames(weights, construct.prefix) : weights;
    const given = masked(options, mask);
    const attention = { parameters, sizes: construct, x, context, options: given };
    return {
      ...oracleMultiHead(parameters, construct, x, context, given, round),
      trace: { attentions: [attention] },
    };
  },

  transformerEncoderLayer({ inputs: { x, mask }, weights, options, construct }, round) {
    return oracleEncoderLayer(weights, construct, x, masked(options, mask), round);
  },

  transformerDecoderLayer({ inputs, weights, options, construct }, round) {
    const { x, memory, mask, crossMask } = inputs;
    const { crossKeyLengths, ...rest } = options;
    const cross = crossKeyLengths ? { keyLengths: crossKeyLengths } : {};
    return oracleDecoderLayer(
      weights,
      construct,
      x,
      memory,
      masked(rest, mask),
      masked(cross, crossMask),
      round,
    );
  },
};
