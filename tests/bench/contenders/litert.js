// LiteRT.js (XNNPACK), the successor of TensorFlow Lite, which runs in pages only. By default it loads a build with relaxed
// SIMD (fused multiply-add); its other build is loaded by name. Each has a module of its own, because one has one runtime.

const packages = new URL('../node_modules/@litertjs/core/', import.meta.url);

/** 0, and far below all scores for keys behind the query. */
function causalMask({ qLen, kLen }) {
  const data = new Float32Array(qLen * kLen);
  for (let row = 0; row < qLen; row++) {
    data.fill(-1e30, row * kLen + row + kLen - qLen + 1, (row + 1) * kLen);
  }
  return data;
}

/** The way of a shape: tensors that do not change are made once, the others from their arrays in each run. */
async function prepare({ Tensor, loadAndCompile }, options, { model, dims }, shape, inputs) {
  const compiled = await loadAndCompile(model, { accelerator: 'wasm', ...options });
  const arrays = shape.kind === 'layer' ? { x: inputs.x } : inputs.headsFirst;
  const kept = {};
  const keep = (name, data) => {
    kept[name] = new Tensor(data, dims[name]);
  };
  if (dims.mask) keep('mask', causalMask(shape));
  if (shape.kind === 'decode') for (const name of ['key', 'value']) keep(name, arrays[name]);
  const names = Object.keys(dims);
  return {
    async run() {
      const given = names.map((name) => kept[name] ?? new Tensor(arrays[name], dims[name]));
      const results = await compiled.run(given);
      const [output, weights] = results.map((tensor) => tensor.toTypedArray()); // copies
      for (const tensor of results) tensor.delete();
      given.forEach((tensor, at) => kept[names[at]] ?? tensor.delete());
      return { output, weights };
    },
    close() {
      for (const tensor of Object.values(kept)) tensor.delete();
      compiled.delete();
    },
  };
}

const litert = (name, { threads = 1, file }) => ({
  name,
  package: '@litertjs/core',
  threads,
  runtimes: ['chromium'],
  async open() {
    const runtime = await import(new URL(`dist/index.js?${encodeURIComponent(name)}`, packages));
    const { tfliteGraph } = await import('../tflite_graphs.js');
    await runtime.loadLiteRt(
      new URL(`wasm/${file ?? ''}`, packages).href,
      file ? {} : { threads: threads > 1 },
    );
    const options = { cpuOptions: { numThreads: threads } };
    return (shape, inputs) => [
      {
        name: 'all heads at once',
        layout: shape.kind === 'layer' ? 'x' : 'headsFirst',
        prepare: () => prepare(runtime, options, tfliteGraph(shape, inputs), shape, inputs),
      },
    ];
  },
});

export const litertJs = litert('LiteRT.js', {});
export const litertJsTwoThreads = litert('LiteRT.js, 2 threads', { threads: 2 });
export const litertJsUnfused = litert('LiteRT.js without relaxed SIMD', {
  file: 'litert_wasm_compat_internal.js',
});
