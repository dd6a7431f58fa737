// The option --kernels of the commands that compute attention.
import { UsageError } from './shell_options.js';

export const kernelsOption = { kernels: { type: 'string' } };

export const kernelsHelp = `      --kernels NAME  simd (default): the same bits on every machine; fused:
                      faster where the engine has relaxed SIMD, else simd;
                      reference: plain and slow, for comparison`;

export function readKernels(value = 'simd') {
  if (['simd', 'fused', 'reference'].includes(value)) return value;
  throw new UsageError(`--kernels is "${value}"; expected simd, fused or reference`);
}

/** The library with these kernels. Imported lazily, so that --help and usage errors do not load the module. */
export async function loadKernels(name) {
  const { loadAttention } = await import('attention-wasm');
  if (name !== 'fused') return loadAttention({ kernels: name });
  const { fused } = await import('attention-wasm/fused');
  return loadAttention({ kernels: fused });
}
