// Correct uses of attention-wasm/models; incorrect ones are under @ts-expect-error.
import { loadAttention } from 'attention-wasm';
import {
  compare,
  headScores,
  loadModel,
  openFolder,
  rollout,
  type LoadedModel,
  type ModelFolder,
  type ModelResult,
  type OpenedFolder,
  ablate,
  sweep,
  type LayerDescription,
  type LensView,
  type NormPosition,
  type RotaryDescription,
  type StackDescription,
  type Sweep,
} from 'attention-wasm/models';
import { loadModel as loadStatically } from 'attention-wasm/models-static';
import { openSafetensors } from 'attention-wasm/safetensors';

export async function uses(files: FileList, blob: Blob): Promise<string> {
  const stop = new AbortController();
  const model: LoadedModel = await loadModel('https://example.org/model/', {
    onProgress: ({ loaded, total, file }) => void [loaded / total, file],
    signal: stop.signal,
    weights: 'int8',
    api: await loadAttention(),
  });
  const { tokens, spans, attentions }: ModelResult = model.run('a text', { attentions: 'average' });
  const first: [number, number] | undefined = spans?.[0];
  const layer: number[] | undefined = attentions?.self?.[3]?.dims;
  model.run(['a text', 'another'], { attentions: [0, 3], projections: true, hiddenStates: true });
  model.run({ ids: BigInt64Array.of(1n), typeIds: [0], decoderIds: Int32Array.of(2) });
  model.run({ pixels: { data: new Float32Array(12), dims: [3, 2, 2] } });
  // @ts-expect-error there is no such option
  model.run('a text', { attention: true });
  // @ts-expect-error a number is not a text
  model.run(7);
  let text = '';
  const options = { maxTokens: 20, stop: ['.', 13], temperature: 0.7, topK: 5, seed: 1 };
  for await (const token of model.generate('a text', options)) text += token.text;
  // @ts-expect-error 'four' is not a number
  model.generate('a text', { maxTokens: 'four' });
  model.delete();

  const layers = attentions?.self ?? [];
  const result = model.run('a text');
  const mixed: number =
    rollout(layers, { residual: false }).data[0]! + compare(result, result, { token: 1 }).variation;
  const scores = headScores(layers, result.ids, 'induction', { measure: 'abs' });
  // @ts-expect-error there is no such pattern
  headScores(layers, result.ids, 'next_token');
  // @ts-expect-error the token is missing
  compare(result, result, { against: 1 });
  console.log(mixed, scores.dims);

  const inside = model.run('a text', {
    attribution: true,
    headOutputs: [0],
    capture: ['resid_post'],
  });
  const views: LensView[] = model.lens(inside, { layers: [0], top: 3 });
  const part: number = model.attribute(inside, { token: 1, against: 2 }).parts[0]!.value;
  const { heads } = model.norms(inside)[0]!;
  const swept: Sweep = await sweep(model, 'a text', {
    edit: (layer, head) => ablate(layer, head),
    metric: ({ logits }) => logits?.data[0] ?? 0,
    over: { layers: [0, 1], positions: true },
    onProgress: ({ done, total }) => void (done / total),
  });
  // @ts-expect-error the token is missing
  model.attribute(inside, {});
  // @ts-expect-error a metric is a number
  await sweep(model, 'a text', { edit: () => [], metric: () => 'large' });
  console.log(views[0]?.top?.[0]?.[0]?.token, part, heads.dims, swept.values[0], swept.base);

  await loadModel(files);
  await loadModel([new File([], 'config.json')], { signal: null });
  await loadModel(new URL('https://example.org/model/'));
  const folder: OpenedFolder = openFolder('https://example.org/model/', { signal: null });
  const stored = await folder.bytes('model.safetensors');
  if (stored) console.log((await openSafetensors(stored)).names, folder.location);
  await loadModel(folder);
  await folder.close();
  const cached: ModelFolder = {
    location: 'a cache',
    text: async (path) => (path === 'config.json' ? '{}' : undefined),
    bytes: async () => blob,
  };
  await loadModel(cached);
  // @ts-expect-error a folder has text() and bytes()
  await loadModel({ location: 'nowhere' });
  await loadModel({ config: { model_type: 'bert' }, weights: blob, tokenizer: {} });
  await loadModel({ config: {}, weights: await (await openSafetensors(blob)).readMany() });
  await loadModel({ config: {}, weights: new ArrayBuffer(8) });
  const loaders: (typeof loadModel)[] = [loadStatically];
  if (loaders.length === 0) return '';
  // @ts-expect-error the signal has no addEventListener()
  await loadModel(files, { signal: { aborted: false, reason: 0, throwIfAborted() {} } });
  // @ts-expect-error there is no such storage type
  await loadModel(files, { weights: 'int4' });
  return [text, tokens?.join(), first?.[0], layer?.[0]].join();
}

/** What a stack computes, in words. */
export function explained({ description }: LoadedModel): string[] {
  const stack: StackDescription | undefined = description.self ?? description.decoder;
  if (!stack) return [];
  const kind: 'layer' | 'rms' = stack.norm;
  const positions: readonly NormPosition[] = stack.norms.attention;
  const cross: readonly NormPosition[] | undefined = stack.norms.crossAttention;
  const heads: 'head' | 'all' | undefined = stack.queryKeyNorm;
  const factor: number | 'learned' = stack.residualScale ?? 1;
  const cap: number = stack.softcap ?? Infinity;
  const weight: number = stack.normOffset + stack.epsilon + cap;
  const flags: boolean[] = [stack.normBias, stack.finalNorm, stack.parallel, stack.gated];
  // @ts-expect-error no layer has this activation
  if (stack.activation === 'tanh') return [];
  // @ts-expect-error there is no such position
  if (positions.includes('within')) return [];
  // @ts-expect-error descriptions are read-only
  stack.norm = 'rms';
  const [layer]: readonly LayerDescription[] = stack.layers;
  const rotary: RotaryDescription | undefined = layer?.rotary;
  // @ts-expect-error layers may have no rotary embedding
  const theta: number = layer?.rotary.theta;
  const scaling: 'linear' | 'dynamic' | 'llama3' | 'yarn' | 'longrope' | undefined =
    rotary?.scaling?.type;
  // @ts-expect-error some scalings have no factor
  const by: number | undefined = rotary?.scaling.factor;
  const turns: readonly number[] = rotary?.frequencies ?? [];
  const size: number = (rotary?.attentionFactor ?? 1) * (rotary?.width ?? 0);
  const pairs: boolean | undefined = rotary?.interleaved;
  const [before, after] = layer?.window ?? [null, null];
  const own: readonly NormPosition[] | undefined = layer?.norms.feedForward;
  const all = [kind, positions, cross, heads, factor, weight, flags, theta, scaling, by, turns];
  return [...all, size, pairs, before, after, own].map(String);
}
