// attention-wasm as built in this checkout: SIMD kernels, fused ones and reference kernels.

import { layerMatrices } from '../layer_stack.js';

/** The built files by path; the package's name would resolve to this folder's own package. */
const entry = new URL('../../../web/built/index.js', import.meta.url);
const fusedEntry = new URL('../../../web/built/fused.js', import.meta.url);
const inNode = typeof process === 'object';
const poolEntry = new URL(
  `../../../web/built/${inNode ? 'pool.node.js' : 'pool.js'}`,
  import.meta.url,
);

/** The result, awaited if it comes from a pool. */
const afterwards = (result, take) => (result instanceof Promise ? result.then(take) : take(result));
const arraysOf = ({ output, weights }) => ({ output: output.data, weights: weights?.data });

/** Heads first and tokens first are both layouts of attention(). */
function attentionWays({ attention }, shape, inputs) {
  const { heads, qLen, kLen, dim, causal, weights } = shape;
  const dims = {
    headsFirst: (length) => [heads, length, dim],
    tokensFirst: (length) => [length, heads * dim],
  };
  return Object.entries(dims).map(([layout, dimsOf]) => ({
    name: layout === 'headsFirst' ? 'heads first' : 'tokens first',
    layout,
    prepare() {
      const { query, key, value } = inputs[layout];
      const arrays = [
        { data: query, dims: [1, ...dimsOf(qLen)] },
        { data: key, dims: [1, ...dimsOf(kLen)] },
        { data: value, dims: [1, ...dimsOf(kLen)] },
      ];
      const options = { causal, ...(weights && { weights: true }) };
      if (layout === 'tokensFirst') options.heads = heads;
      return {
        run: () => afterwards(attention(...arrays, options), arraysOf),
      };
    },
  }));
}

/** A decoding step appends the newest key and value, then attends. */
function prepareDecoding({ KeyValueCache }, { heads, kLen, dim }, { headsFirst }) {
  const cache = new KeyValueCache({ kvHeads: heads, keyDim: dim, capacity: kLen });
  const rows = (data, from, to) => {
    const size = kLen * dim;
    const picked = new Float32Array(heads * (to - from) * dim);
    for (let head = 0; head < heads; head++) {
      const part = data.subarray(head * size + from * dim, head * size + to * dim);
      picked.set(part, head * (to - from) * dim);
    }
    return { data: picked, dims: [1, heads, to - from, dim] };
  };
  const [key, value] = [headsFirst.key, headsFirst.value];
  cache.append(rows(key, 0, kLen - 1), rows(value, 0, kLen - 1));
  const newest = [rows(key, kLen - 1, kLen), rows(value, kLen - 1, kLen)];
  const query = { data: headsFirst.query, dims: [1, heads, 1, dim] };
  return {
    run() {
      cache.rewind(kLen - 1);
      cache.append(...newest);
      return { output: cache.attend(query).output.data };
    },
    close: () => cache.delete(),
  };
}

function prepareLayer({ MultiHeadAttention }, { qLen, modelDim, heads }, { x, outIn, biases }) {
  const names = ['query', 'key', 'value'];
  const joined = (parts) => {
    const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  };
  const inProjection = joined(names.map((name) => outIn[name]));
  const inBias = joined(names.map((name) => biases[name]));
  const layer = MultiHeadAttention.fromTorch(
    {
      in_proj_weight: { data: inProjection, dims: [3 * modelDim, modelDim] },
      in_proj_bias: { data: inBias, dims: [3 * modelDim] },
      'out_proj.weight': { data: outIn.output, dims: [modelDim, modelDim] },
      'out_proj.bias': { data: biases.output, dims: [modelDim] },
    },
    { heads },
  );
  const rows = { data: x, dims: [qLen, modelDim] };
  return {
    run: () => afterwards(layer.forward(rows), arraysOf),
    close: () => layer.delete(),
  };
}

/** An encoder runs all rows through each layer; a decoder runs one row at a time through all layers. */
function prepareStack({ TransformerLayer }, shape, inputs) {
  const { kind, qLen, modelDim, heads } = shape;
  const decodes = kind === 'decoder';
  const options = {
    heads,
    activation: decodes ? 'gelu_tanh' : 'gelu',
    normFirst: decodes,
    layout: 'in × out',
  };
  const matrices = layerMatrices(shape);
  const layers = inputs.layers.map((layer) => {
    const { query, queryBias, key, keyBias, value, valueBias, output, outputBias, ...rest } = layer;
    const attention = { query, queryBias, key, keyBias, value, valueBias, output, outputBias };
    const tensors = (arrays) =>
      Object.fromEntries(
        Object.entries(arrays).map(([name, data]) => {
          const { rows, columns } = matrices[name] ?? {};
          return [name, { data, dims: rows ? [rows, columns] : [data.length] }];
        }),
      );
    return TransformerLayer.fromWeights({ self: tensors(attention), ...tensors(rest) }, options);
  });
  const caches = decodes ? layers.map((layer) => layer.createCache({ capacity: qLen })) : [];
  const through = (data, dims) =>
    layers.reduce((x, layer, at) => layer.forward(x, { cache: caches[at] }).output, { data, dims });
  return {
    run() {
      if (!decodes) return { output: through(inputs.x, [qLen, modelDim]).data };
      const output = new Float32Array(qLen * modelDim);
      for (const cache of caches) cache.clear();
      for (let at = 0; at < output.length; at += modelDim) {
        output.set(through(inputs.x.subarray(at, at + modelDim), [1, modelDim]).data, at);
      }
      return { output };
    },
    close: () => [...layers, ...caches].forEach((object) => object.delete()),
  };
}

/** The variants of a shape for one loaded module, or for an object with the same functions. */
function waysOf(api) {
  return (shape, inputs) => {
    if (shape.kind === 'attention') return attentionWays(api, shape, inputs);
    if (shape.layers) {
      const prepare = () => prepareStack(api, shape, inputs);
      return [{ name: 'TransformerLayer', layout: 'x', prepare }];
    }
    const prepare = shape.kind === 'layer' ? prepareLayer : prepareDecoding;
    const layout = shape.kind === 'layer' ? 'x' : 'headsFirst';
    const name = shape.kind === 'layer' ? 'MultiHeadAttention' : 'KeyValueCache';
    return [{ name, layout, prepare: () => prepare(api, shape, inputs) }];
  };
}

export const attentionWasm = {
  name: 'attention-wasm',
  threads: 1,
  hasLayers: true,
  async open() {
    const { loadAttention } = await import(entry);
    return waysOf(await loadAttention());
  },
  async memoryBytes() {
    const { loadAttention } = await import(entry);
    return (await loadAttention()).memoryBytes();
  },
};

/** The kernels with fused multiply-add; in engines without relaxed SIMD the same as attentionWasm. */
export const attentionWasmFused = {
  name: 'attention-wasm, fused',
  threads: 1,
  hasLayers: true,
  async open() {
    const [{ loadAttention }, { fused }] = await Promise.all([import(entry), import(fusedEntry)]);
    return waysOf(await loadAttention({ kernels: fused }));
  },
};

/** A pool has layers and attention(), and no caches. */
export const attentionWasmPool = {
  name: 'attention-wasm, pool',
  threads: 2,
  async open() {
    const { loadAttentionPool } = await import(poolEntry);
    const ways = waysOf(await loadAttentionPool({ workers: 2 }));
    return (shape, inputs) => {
      if (shape.kind !== 'decode') return ways(shape, inputs);
      const refuse = () => {
        throw new Error('a pool has no caches');
      };
      return [{ name: 'KeyValueCache', layout: 'headsFirst', prepare: refuse }];
    };
  },
};

export const attentionWasmReference = {
  name: 'attention-wasm, reference',
  threads: 1,
  mostOperations: 1.5e9,
  async open() {
    const { loadAttention } = await import(entry);
    const ways = waysOf(await loadAttention({ kernels: 'reference' }));
    return (shape, inputs) => ways(shape, inputs).slice(0, 1);
  },
};
