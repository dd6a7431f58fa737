// Loads the fused kernels in a page; the test awaits globalThis.report.

const said = [];
for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
  console[level] = (...words) => said.push(`console ${level}: ${words.join(' ')}`);
}
addEventListener('error', ({ message }) => said.push(`error: ${message}`));
addEventListener('unhandledrejection', ({ reason }) => said.push(`rejected: ${reason}`));

const key = { data: Float32Array.of(1, 3), dims: [2, 1] };
const query = { data: Float32Array.of(2), dims: [1, 1] };

async function loaded() {
  const [{ fused }, { loadAttention }] = await Promise.all([
    import('/web/built/fused.js'),
    import('/web/built/index.js'),
  ]);
  const { kernels, scores } = await loadAttention({ kernels: fused });
  return { kernels, scores: [...scores(query, key, { scale: 1 }).data] };
}

globalThis.report = loaded().then(
  (result) => ({ ...result, said }),
  (error) => ({ error: `${error}`, said }),
);
