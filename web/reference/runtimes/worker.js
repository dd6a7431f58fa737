// A module worker. Behind a bundler the import is 'attention-wasm'; without one it is the copied file.
import { loadAttention } from './attention.js';

const loading = loadAttention();

addEventListener('message', async ({ data: { x, options } }) => {
  const { attention } = await loading;
  const { weights } = attention(x, x, x, options);
  postMessage(weights, [weights.data.buffer]);
});
