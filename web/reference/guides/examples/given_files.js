// For bundlers that find neither the pool's worker nor the translator's files: pass their addresses.
import { loadAttentionPool } from 'attention-wasm/pool';
import { loadTranslator } from 'attention-wasm/translator';

// my_pool_worker.js is an entry of the build with one line: import 'attention-wasm/pool-worker';
const pool = await loadAttentionPool({
  createWorker: () => new Worker('my_pool_worker.js', { type: 'module' }),
});
const translator = await loadTranslator({
  weights: new URL('english_french.safetensors', document.baseURI),
  tokenizer: new URL('tokenizer.json', document.baseURI),
});
console.log(pool.workers > 0, translator.heads); // true 4
