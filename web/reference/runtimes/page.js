// attention.js is a copy of web/built/index.js of the package: all that a page needs.
import { loadAttention } from './attention.js';

const { attention } = await loadAttention();
const x = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
const { weights } = attention(x, x, x, { weights: true });
document.querySelector('output').value = weights.data[0].toFixed(4); // 0.6698
