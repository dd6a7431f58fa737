// The pool's worker and the translator's files by Vite's own imports, which work in each version and in development.
import { loadAttentionPool } from 'attention-wasm/pool';
import PoolWorker from 'attention-wasm/pool-worker?worker';
import { loadTranslator } from 'attention-wasm/translator';
import tokenizer from 'attention-wasm/tokenizer.json?url';
import weights from 'attention-wasm/english_french.safetensors?url';

const pool = await loadAttentionPool({ createWorker: () => new PoolWorker() });
const translator = await loadTranslator({
  weights: new URL(weights, location.href),
  tokenizer: new URL(tokenizer, location.href),
});
console.log(pool.workers > 0, translator.heads); // true 4
