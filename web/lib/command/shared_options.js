// Options of several commands.

import { integerOrAll, oneOf } from './shell_options.js';

export const kernelsOption = {
  kernels: {
    value: 'NAME',
    text:
      'simd: the same bits on every machine; fused: faster where the engine has relaxed SIMD, else simd; ' +
      'reference: plain and slow, for comparison',
    default: 'simd',
    read: oneOf('simd', 'fused', 'reference'),
  },
};

/** The library with the kernels of this name. Imported lazily, so that --help and usage errors do not load the module. */
export async function loadKernels(name) {
  const { loadAttention } = await import('attention-wasm');
  if (name !== 'fused') return loadAttention({ kernels: name });
  const { fused } = await import('attention-wasm/fused');
  return loadAttention({ kernels: fused });
}

/** The layers and heads to show. */
export const selectionOptions = {
  layer: {
    value: 'N',
    text: 'layer number from 1, or all (default: the last)',
    read: integerOrAll,
  },
  head: {
    value: 'N',
    text: 'head number from 1, or all (default: the mean of heads)',
    read: integerOrAll,
  },
};

export const outputOptions = {
  color: {
    value: 'WHEN',
    text: 'always, never or auto: on terminals with at least 256 colors, unless NO_COLOR or FORCE_COLOR is set',
    default: 'auto',
    read: oneOf('always', 'never', 'auto'),
  },
  help: { short: 'h', text: 'prints this text' },
  version: { short: 'V', text: 'prints the version' },
};
