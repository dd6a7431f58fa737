// Cloudflare Workers compile nothing at run time: import the compiled module and pass it.
import { loadAttention } from 'attention-wasm/core';
import wasm from 'attention-wasm/attention.wasm';

const loading = loadAttention({ wasm });

export default {
  async fetch() {
    const { attention } = await loading;
    const x = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
    const { weights } = attention(x, x, x, { weights: true });
    return Response.json([...weights.data].map((weight) => weight.toFixed(4))); // ["0.6698", …
  },
};
