// A program that imports every entry and knows no page: the types must compile with the language's library alone.
import { loadAttention, type LoadOptions } from 'attention-wasm';
import { loadAttention as loadCore } from 'attention-wasm/core';
import { heatmapSVG, type Heatmap } from 'attention-wasm/heatmap';
import { loadModel } from 'attention-wasm/models';
import { loadAttentionPool } from 'attention-wasm/pool';
import { parseSafetensors } from 'attention-wasm/safetensors';
import { words } from 'attention-wasm/text';
import { loadTraining } from 'attention-wasm/training';
import { loadTranslator } from 'attention-wasm/translator';
import 'attention-wasm/pool-worker';

const options: LoadOptions = { wasm: new Uint8Array(8), kernels: 'simd' };
// @ts-expect-error there are two kernels
const wrong: LoadOptions = { kernels: 'scalar' };

export async function use(bytes: ArrayBuffer): Promise<Float32Array> {
  const { attention } = await loadAttention(options);
  const { tensors } = parseSafetensors(bytes);
  const x = tensors.get('x')!;
  if (x.data instanceof Float32Array) return x.data;
  const pool = await loadAttentionPool();
  const y = { data: new Float32Array(4), dims: [2, 2] };
  await pool.attention(y, y, y);
  const { TrainableTransformer } = await loadTraining();
  const sizes = { vocabulary: 3, width: 4, layers: 1, heads: 1, context: 2 };
  const trained = new TrainableTransformer({ kind: 'decoder', ...sizes });
  trained.step({ ids: [[0]], targets: [[1]] }, { learningRate: 0.1 });
  const translator = await loadTranslator({ weights: bytes, tokenizer: {} });
  const model = await loadModel({ config: {}, weights: bytes }, { weights: 'int8' });
  model.run({ ids: [1, 2] }, { attentions: true }).attentions?.self?.[0]?.data.fill(0);
  const svg: string = heatmapSVG({
    weights: translator.encode('a').attention!.encoder[0]!,
    head: 0,
  });
  const size = async (map: Heatmap): Promise<number> => (await map.toPNG()).size;
  void [words(svg), size, wrong, await loadCore({ wasm: bytes })];
  return attention(y, y, y, { weights: true }).weights.data;
}
