// The page's side. attention-wasm/pool does this for every core.
const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
worker.addEventListener('message', ({ data: weights }) => {
  document.querySelector('output').value = weights.data[0].toFixed(4); // 0.6698
});
const x = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
worker.postMessage({ x, options: { weights: true } });
