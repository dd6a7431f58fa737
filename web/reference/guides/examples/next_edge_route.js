// app/weights/route.js. The path of `?module` goes from the route to node_modules.
import { loadAttention } from 'attention-wasm/core';
import wasm from '../../node_modules/attention-wasm/web/built/attention.wasm?module';

export const runtime = 'edge';

export async function GET() {
  const { attention } = await loadAttention({ wasm });
  const x = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
  const { weights } = attention(x, x, x, { weights: true });
  return Response.json([...weights.data].map((weight) => weight.toFixed(4))); // ["0.6698", …
}
