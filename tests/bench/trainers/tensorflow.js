// @tensorflow/tfjs with one of its backends: variableGrads, and AdamW from its operations. Ids are multiplied as
// one-hot rows: the WebAssembly backend has no gradient of gather (tfjs#8082).

const scope = new URL('../node_modules/@tensorflow/', import.meta.url);

async function load(backend) {
  const { default: tf } = await import('@tensorflow/tfjs');
  if (backend === 'wasm') {
    const { fileURLToPath } = await import('node:url');
    const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm');
    setWasmPaths(fileURLToPath(new URL('tfjs-backend-wasm/dist/', scope)));
  }
  return tf;
}

function lossOf(tf, { width, layers, heads, context }, p, batch) {
  const dim = width / heads;
  const norm = (x, name) => {
    const centered = tf.sub(x, tf.mean(x, -1, true));
    const deviation = tf.sqrt(tf.add(tf.mean(tf.mul(centered, centered), -1, true), 1e-5));
    return tf.add(tf.mul(tf.div(centered, deviation), p[`${name}.weight`]), p[`${name}.bias`]);
  };
  const linear = (x, name) => tf.add(tf.matMul(x, p[`${name}.weight`]), p[`${name}.bias`]);
  const gelu = (x) => {
    const inner = tf.mul(
      tf.add(x, tf.mul(tf.mul(tf.mul(x, x), x), 0.044715)),
      Math.sqrt(2 / Math.PI),
    );
    return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
  };
  const { ids, targets, weights, future } = batch;
  const count = ids.shape[0] / context;
  const inHeads = (x) => tf.transpose(tf.reshape(x, [count, context, heads, dim]), [0, 2, 1, 3]);

  let x = tf.reshape(tf.matMul(ids, p.embedding), [count, context, width]);
  x = tf.reshape(tf.add(x, p['decoder.positions']), [count * context, width]);
  for (let n = 0; n < layers; n++) {
    const at = `decoder.layers.${n}.`;
    const all = linear(norm(x, `${at}self.norm`), `${at}self.queryKeyValue`);
    const [query, key, value] = tf.split(all, 3, -1).map(inHeads);
    const scores = tf.mul(tf.matMul(query, key, false, true), 1 / Math.sqrt(dim));
    const mixed = tf.matMul(tf.softmax(tf.add(scores, future)), value);
    const rows = tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [count * context, width]);
    x = tf.add(x, linear(rows, `${at}self.output`));
    const hidden = gelu(linear(norm(x, `${at}feedForward.norm`), `${at}feedForward.up`));
    x = tf.add(x, linear(hidden, `${at}feedForward.down`));
  }
  const logits = tf.matMul(norm(x, 'decoder.norm'), p.head, false, true);
  const chosen = tf.sum(tf.mul(tf.logSoftmax(logits), targets), -1);
  return tf.neg(tf.sum(tf.mul(chosen, weights)));
}

/** One step of AdamW on variables p, m and v; returns the loss. */
function update(
  tf,
  parameters,
  { p, m, v },
  gradients,
  { rate, rootFactor, beta1, beta2, decay, clip },
) {
  const names = Object.keys(p);
  const squares = names.map((name) => tf.sum(tf.square(gradients[name])));
  const factor = tf.minimum(tf.div(clip, tf.sqrt(tf.addN(squares))), 1);
  for (const name of names) {
    const gradient = tf.mul(gradients[name], factor);
    m[name].assign(tf.add(tf.mul(m[name], beta1), tf.mul(gradient, 1 - beta1)));
    v[name].assign(tf.add(tf.mul(v[name], beta2), tf.mul(tf.square(gradient), 1 - beta2)));
    const root = tf.add(tf.mul(tf.sqrt(v[name]), rootFactor), 1e-8);
    const decayed = parameters[name].decays ? tf.mul(p[name], 1 - decay) : p[name];
    p[name].assign(tf.sub(decayed, tf.div(tf.mul(m[name], rate), root)));
  }
}

/** One-hot rows. */
const oneHot = (tf, ids, depth) =>
  tf.tensor2d(
    Float32Array.from({ length: ids.length * depth }, (_, at) =>
      Number(ids[Math.floor(at / depth)] === at % depth),
    ),
    [ids.length, depth],
  );

const trainer = (backend) => ({
  name: `tfjs, ${backend}`,
  package: '@tensorflow/tfjs',
  async open(sizes, parameters, optimizer) {
    const tf = await load(backend);
    const { vocabulary, context } = sizes;
    const inBackend = async (compute) => {
      await tf.setBackend(backend);
      return tf.tidy(compute);
    };
    const [beta1, beta2] = optimizer.betas;
    const variables = (values) =>
      Object.fromEntries(
        Object.entries(parameters).map(([name, { data, dims }]) => [
          name,
          tf.variable(tf.tensor(values(data), dims), true, `${backend} ${name} ${Math.random()}`),
        ]),
      );
    await tf.setBackend(backend);
    const state = {
      p: variables((data) => data.slice()),
      m: variables((data) => new Float32Array(data.length)),
      v: variables((data) => new Float32Array(data.length)),
    };
    let steps = 0;
    return {
      step: ({ ids, targets }) =>
        inBackend(() => {
          steps++;
          const flat = targets.flat();
          const counted = flat.filter((id) => id >= 0).length;
          const batch = {
            ids: oneHot(tf, ids.flat(), vocabulary),
            targets: oneHot(tf, flat, vocabulary),
            weights: tf.tensor1d(flat.map((id) => (id >= 0 ? 1 / counted : 0))),
            future: tf.tensor2d(
              Float32Array.from({ length: context ** 2 }, (_, at) =>
                at % context > Math.floor(at / context) ? -1e30 : 0,
              ),
              [context, context],
            ),
          };
          const all = Object.values(state.p);
          const { value, grads } = tf.variableGrads(() => lossOf(tf, sizes, state.p, batch), all);
          const gradients = Object.fromEntries(
            Object.entries(state.p).map(([name, variable]) => [name, grads[variable.name]]),
          );
          update(tf, parameters, state, gradients, {
            beta1,
            beta2,
            rate: optimizer.learningRate / (1 - beta1 ** steps),
            rootFactor: 1 / Math.sqrt(1 - beta2 ** steps),
            decay: optimizer.learningRate * optimizer.weightDecay,
            clip: optimizer.clip,
          });
          return value.dataSync()[0];
        }),
    };
  },
});

export const tensorflowCpu = trainer('cpu');
export const tensorflowWasm = trainer('wasm');
