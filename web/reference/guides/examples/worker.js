// A module worker.
import { loadAttention } from './attention-wasm/index.js';

const loading = loadAttention();

addEventListener('message', async ({ data: { x, options } }) => {
  const { attention } = await loading;
  const { weights } = attention(x, x, x, options);
  postMessage(weights, [weights.data.buffer]);
});
