// llama.cpp, from the prebuilt binary of npm's `node-llama-cpp` for Linux on x86-64, on the processor and in float32: keys and
// values are not rounded to float16, and scores are whole matrices instead of flash attention.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { requireOf } from './installed_package.js';

const require = await requireOf('llama_cpp');
const entry = require.resolve('@node-llama-cpp/linux-x64'); // dist/index.js
const binaries = join(dirname(dirname(entry)), 'bins/linux-x64');
const binding = require(join(binaries, 'llama-addon.node'));
let messages = '';
binding.markLoaded();
binding.setLogger((level, message) => (messages += message));
binding.setLoggerLogLevel(2); // errors
binding.loadBackends(binaries);
await binding.init();

/** An error with the messages of llama.cpp, which come later than the result of a call. */
async function errorOf(what) {
  await setTimeout(100);
  return new Error(`llama.cpp ${what}: ${messages}`);
}

const float32 = 0;
const floatCache = { flashAttention: false, kvCacheKeyType: float32, kvCacheValueType: float32 };

/** Logits of every position, rows of one matrix. */
async function logitsOf(model, ids) {
  const size = ids.length;
  const context = new binding.AddonContext(model, {
    ...{ contextSize: 64, batchSize: size, sequences: 1, threads: 1, ...floatCache },
  });
  const sampler = new binding.AddonSampler(model);
  try {
    if (!(await context.init())) throw await errorOf('makes no context');
    sampler.applyConfig({ temperature: 0 });
    context.initBatch(size);
    const positions = Uint32Array.from(ids, (_, position) => position);
    const places = context.addToBatch(0, 0, Uint32Array.from(ids), positions);
    await context.decodeBatch();
    const rows = [];
    for (const place of places) {
      // Pairs of a token and its logit.
      const pairs = (await context.sampleToken(place, sampler, false, false, true))[3];
      const row = [];
      for (let at = 0; at < pairs.length; at += 2) row[pairs[at]] = pairs[at + 1];
      rows.push(...row);
    }
    return Float64Array.from(rows);
  } finally {
    sampler.dispose();
    await context.dispose();
  }
}

/** Logits of llama.cpp for each sequence of ids, from the bytes of a GGUF file. */
export async function llamaCppLogits(file, sequences) {
  const temporary = mkdtempSync(join(tmpdir(), 'attention-wasm-gguf-'));
  try {
    const path = join(temporary, 'model.gguf');
    writeFileSync(path, file);
    messages = '';
    const model = new binding.AddonModel(path, { gpuLayers: 0, useMmap: false });
    if (!(await model.init())) throw await errorOf('does not load the model');
    try {
      const results = [];
      for (const ids of sequences) results.push(await logitsOf(model, ids));
      return results;
    } finally {
      await model.dispose();
    }
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
