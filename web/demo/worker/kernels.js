// The library with the kernels that the reader chose, loaded once for each set.

import { loadAttention } from 'attention-wasm';

let fused; // promise of the API with fused kernels

async function loadFused() {
  const { fused: kernels } = await import('attention-wasm/fused');
  const api = await loadAttention({ kernels });
  return api.kernels === 'fused' ? api : apiWith(false);
}

/** The API, with fused kernels if `isFused` and the engine has relaxed SIMD; `kernels` of it says which they are. */
export async function apiWith(isFused) {
  if (!isFused) return loadAttention();
  fused ??= loadFused().catch((error) => {
    fused = undefined; // the next request tries again
    throw error;
  });
  return fused;
}

/** The option `kernels` for a pool with the kernels of an API. */
export const kernelsOf = async ({ kernels }) =>
  kernels === 'fused' ? (await import('attention-wasm/fused')).fused : 'simd';
