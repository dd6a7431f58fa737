// CommonJS, where require() can load ES modules; elsewhere: await import('attention-wasm').
const { loadAttention } = require('attention-wasm');

loadAttention().then(({ attention }) => {
  const x = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
  const { weights } = attention(x, x, x, { weights: true });
  console.log(weights.dims, weights.data[0].toFixed(4)); // [ 2, 2 ] 0.6698
});
