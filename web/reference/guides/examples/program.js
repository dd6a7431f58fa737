// For Node.js, Deno, Bun, module workers and bundlers.
import { loadAttention } from 'attention-wasm';

const { attention } = await loadAttention();
const x = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
const { weights } = attention(x, x, x, { weights: true });
console.log(weights.dims, weights.data[0].toFixed(4)); // [ 2, 2 ] 0.6698
