// A pool in a consumer project: a call large enough for workers, compared with the same call without a pool.
import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';
import { digestOf } from './known.js';

/** 'same', or a description of the difference. */
export async function pooled() {
  const { attention } = await loadAttention();
  const pool = await loadAttentionPool({ workers: 2 });
  const data = Float32Array.from({ length: 8 * 512 * 64 }, (_, at) => (at % 101) / 50 - 1);
  const x = { data, dims: [1, 8, 512, 64] };
  const [one, other] = [attention(x, x, x), await pool.attention(x, x, x)];
  await pool.close();
  return digestOf(one.output.data) === digestOf(other.output.data) ? 'same' : 'other numbers';
}
