// An import map would need a nonce or a hash in the policy; paths need none. The folder attention-wasm is a copy of web/built.
import { defineAttentionMap } from './attention-wasm/heatmap.js';
import { loadAttention } from './attention-wasm/index.js';

defineAttentionMap();
const { attention } = await loadAttention();
const x = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
const { weights } = attention(x, x, x, { weights: true });
document.querySelector('attention-map').weights = weights;
