// attention.js is a copy of the package's web/built/index.js; a page needs no other file.
import { loadAttention } from './attention.js';

const { attention } = await loadAttention();
const x = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
const { weights } = attention(x, x, x, { weights: true });
document.querySelector('output').value = weights.data[0].toFixed(4); // 0.6698
