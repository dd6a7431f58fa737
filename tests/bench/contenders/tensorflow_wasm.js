// @tensorflow/tfjs-backend-wasm (XNNPACK): matMul, softmax, matMul; head by head, and all heads at once.

const packages = new URL('../node_modules/@tensorflow/', import.meta.url);
const wasm = new URL('tfjs-backend-wasm/dist/', packages);

function script(path) {
  return new Promise((resolve, reject) => {
    const element = globalThis.document.createElement('script');
    element.src = new URL(path, packages).href;
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${path} cannot be loaded`));
    globalThis.document.head.append(element);
  });
}

/** The files for pages or for Node.js, as its documentation says. */
async function load() {
  if (globalThis.document) {
    await script('tfjs-core/dist/tf-core.min.js');
    await script('tfjs-backend-wasm/dist/tf-backend-wasm.min.js');
    const { tf } = globalThis;
    tf.wasm.setWasmPaths(wasm.href);
    return tf;
  }
  const { fileURLToPath } = await import('node:url');
  const { default: tf } = await import('@tensorflow/tfjs-core');
  const { default: backend } = await import('@tensorflow/tfjs-backend-wasm');
  backend.setWasmPaths(fileURLToPath(wasm));
  return tf;
}

/**
 * heads × [rows × dim] → a separate product for each head, with transposed keys: only such products go to
 * XNNPACK, others are many times slower.
 */
function headByHead(tf, { query, key, turned, value }, { causal, mask, scale }) {
  const outputs = [];
  const weights = [];
  query.forEach((q, head) => {
    const scores = tf.matMul(tf.mul(q, scale), turned?.[head] ?? tf.transpose(key[head]));
    const chances = tf.softmax(causal ? tf.add(scores, mask) : scores);
    weights.push(chances);
    outputs.push(tf.matMul(chances, value[head]));
  });
  return { outputs, weights };
}

const read = (tensor) => tensor.dataSync();

/** Frees intermediate tensors. tidy() searches its result for tensors element by element, so nothing is returned. */
function tidied(tf, compute) {
  let result;
  tf.tidy(() => {
    result = compute();
  });
  return result;
}

/** Transposes a matrix and frees the original. */
function turnedInstead(tf, matrix) {
  const turned = tf.transpose(matrix);
  matrix.dispose();
  return turned;
}

/** Concatenated arrays. */
function concatenated(arrays) {
  if (arrays.length === 1) return arrays[0];
  const all = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

function causalMask(tf, { qLen, kLen }) {
  const data = new Float32Array(qLen * kLen);
  for (let row = 0; row < qLen; row++) {
    data.fill(-1e30, row * kLen + row + kLen - qLen + 1, (row + 1) * kLen);
  }
  return tf.tensor2d(data, [qLen, kLen]);
}

const lengthsOf = ({ qLen, kLen }) => ({ query: qLen, key: kLen, value: kLen });

function attentionByHeads(tf, shape, inputs) {
  const { heads, dim, causal, weights, kind } = shape;
  const lengths = lengthsOf(shape);
  const split = (name) =>
    Array.from({ length: heads }, (_, head) => {
      const size = lengths[name] * dim;
      const part = inputs.headsFirst[name].subarray(head * size, (head + 1) * size);
      return tf.tensor2d(part, [lengths[name], dim]);
    });
  const mask = causal && causalMask(tf, shape);
  const scale = tf.scalar(1 / Math.sqrt(dim));
  // Decoding: keys (transposed) and values already exist.
  const turn = (tensor) => turnedInstead(tf, tensor);
  const kept = kind === 'decode' && { turned: split('key').map(turn), value: split('value') };
  return {
    run: () =>
      tidied(tf, () => {
        const parts = {
          query: split('query'),
          ...(kept || { key: split('key'), value: split('value') }),
        };
        const found = headByHead(tf, parts, { causal, mask, scale });
        return {
          output: concatenated(found.outputs.map(read)),
          weights: weights ? concatenated(found.weights.map(read)) : undefined,
        };
      }),
    close: () => tf.dispose([mask || [], scale, kept ? [kept.turned, kept.value] : []]),
  };
}

function attentionAtOnce(tf, shape, inputs) {
  const { heads, dim, causal, weights, kind } = shape;
  const lengths = lengthsOf(shape);
  const tensor = (name) => tf.tensor3d(inputs.headsFirst[name], [heads, lengths[name], dim]);
  const mask = causal && causalMask(tf, shape);
  const scale = tf.scalar(1 / Math.sqrt(dim));
  const kept = kind === 'decode' && { key: tensor('key'), value: tensor('value') };
  return {
    run: () =>
      tidied(tf, () => {
        const { key, value } = kept || { key: tensor('key'), value: tensor('value') };
        const scores = tf.matMul(tf.mul(tensor('query'), scale), key, false, true);
        const chances = tf.softmax(causal ? tf.add(scores, mask) : scores);
        const output = read(tf.matMul(chances, value));
        return { output, weights: weights ? read(chances) : undefined };
      }),
    close: () => tf.dispose([mask || [], scale, kept ? [kept.key, kept.value] : []]),
  };
}

function layer(tf, { qLen, modelDim, heads, dim }, { x, inOut, biases }) {
  const names = ['query', 'key', 'value', 'output'];
  const matrices = names.map((name) => tf.tensor2d(inOut[name], [modelDim, modelDim]));
  const offsets = names.map((name) => tf.tensor1d(biases[name]));
  const scale = tf.scalar(1 / Math.sqrt(dim));
  const project = (rows, at) => tf.add(tf.matMul(rows, matrices[at]), offsets[at]);
  return {
    run: () =>
      tidied(tf, () => {
        const rows = tf.tensor2d(x, [qLen, modelDim]);
        const [query, key, value] = [0, 1, 2].map((at) => tf.split(project(rows, at), heads, 1));
        const { outputs } = headByHead(tf, { query, key, value }, { scale });
        return { output: read(project(heads > 1 ? tf.concat(outputs, 1) : outputs[0], 3)) };
      }),
    close: () => tf.dispose([matrices, offsets, scale]),
  };
}

export const tensorflowWasm = {
  name: 'tfjs-wasm',
  package: '@tensorflow/tfjs-backend-wasm',
  threads: 1,
  remarks: {
    chromium: 'takes half as many threads as there are cores',
    node: 'has no threads',
  },
  async open() {
    const tf = await load();
    await tf.setBackend('wasm');
    await tf.ready();
    if (tf.getBackend() !== 'wasm') throw new Error('its wasm backend did not start');
    return (shape, inputs) => {
      if (shape.kind === 'layer') {
        return [{ name: 'head by head', layout: 'x', prepare: () => layer(tf, shape, inputs) }];
      }
      const ways = { 'head by head': attentionByHeads };
      // All heads at once: identical for one head, and too slow for large shapes.
      const small = shape.heads * shape.qLen * shape.kLen <= 2 ** 18;
      if (shape.heads > 1 && small) ways['all heads at once'] = attentionAtOnce;
      return Object.entries(ways).map(([name, way]) => ({
        name,
        layout: 'headsFirst',
        prepare: () => way(tf, shape, inputs),
      }));
    };
  },
};
