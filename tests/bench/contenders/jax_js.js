// @jax-js/jax, its WebAssembly backend: the three steps, compiled together by jit and one after the other.

const entry = new URL('../node_modules/@jax-js/jax/dist/index.js', import.meta.url);

function attention({ numpy, nn }, { causal, weights, scale }) {
  return (query, key, value, ...mask) => {
    const scores = numpy.matmul(query, numpy.swapaxes(key, -1, -2)).mul(scale);
    const chances = nn.softmax(causal ? scores.add(mask[0]) : scores);
    return weights ? [numpy.matmul(chances.ref, value), chances] : [numpy.matmul(chances, value)];
  };
}

function causalMask({ numpy }, { qLen, kLen }) {
  const data = new Float32Array(qLen * kLen);
  for (let row = 0; row < qLen; row++) {
    data.fill(-1e30, row * kLen + row + kLen - qLen + 1, (row + 1) * kLen);
  }
  return numpy.array(data, { shape: [qLen, kLen] });
}

function layer({ numpy, nn }, { qLen, heads, dim, modelDim }) {
  return (x, ...arrays) => {
    const project = (rows, at) => numpy.matmul(rows, arrays[2 * at]).add(arrays[2 * at + 1]);
    const apart = (rows) => numpy.swapaxes(rows.reshape([qLen, heads, dim]), 0, 1);
    const query = apart(project(x.ref, 0)).mul(1 / Math.sqrt(dim));
    const key = numpy.swapaxes(apart(project(x.ref, 1)), -1, -2);
    const value = apart(project(x, 2));
    const mixed = numpy.matmul(nn.softmax(numpy.matmul(query, key)), value);
    return [project(numpy.swapaxes(mixed, 0, 1).reshape([qLen, modelDim]), 3)];
  };
}

/** A function of arrays takes over the references that it is given: `ref` keeps ours. */
function prepared(compute, makeArguments, kept) {
  return {
    async run() {
      const results = compute(...makeArguments());
      const [output, weights] = await Promise.all(results.map((result) => result.data()));
      return { output, weights };
    },
    close: () => kept.forEach((array) => array.dispose()),
  };
}

function prepareAttention(jax, shape, inputs, wrap) {
  const { heads, qLen, kLen, dim, causal, kind } = shape;
  const lengths = { query: qLen, key: kLen, value: kLen };
  const array = (name) =>
    jax.numpy.array(inputs.headsFirst[name].slice(), { shape: [heads, lengths[name], dim] });
  const mask = causal ? [causalMask(jax, shape)] : [];
  const cache = kind === 'decode' ? [array('key'), array('value')] : [];
  const compute = wrap(attention(jax, { ...shape, scale: 1 / Math.sqrt(dim) }));
  const makeArguments = () => [
    array('query'),
    ...(cache.length > 0 ? cache.map((kept) => kept.ref) : [array('key'), array('value')]),
    ...mask.map((kept) => kept.ref),
  ];
  return prepared(compute, makeArguments, [...mask, ...cache]);
}

function prepareLayer(jax, shape, { x, inOut, biases }, wrap) {
  const { qLen, modelDim } = shape;
  const { array } = jax.numpy;
  const kept = ['query', 'key', 'value', 'output'].flatMap((name) => [
    array(inOut[name].slice(), { shape: [modelDim, modelDim] }),
    array(biases[name].slice(), { shape: [modelDim] }),
  ]);
  const makeArguments = () => [
    array(x.slice(), { shape: [qLen, modelDim] }),
    ...kept.map((one) => one.ref),
  ];
  return prepared(wrap(layer(jax, shape)), makeArguments, kept);
}

export const jaxJs = {
  name: 'jax-js',
  package: '@jax-js/jax',
  threads: 1,
  remarks: { chromium: 'takes as many threads as there are cores, where the page is isolated' },
  async open() {
    const jax = await import(entry);
    await jax.init('wasm');
    jax.defaultDevice('wasm');
    const ways = { jit: (compute) => jax.jit(compute), 'step by step': (compute) => compute };
    return (shape, inputs) =>
      Object.entries(ways).map(([name, wrap]) => ({
        name,
        layout: shape.kind === 'layer' ? 'x' : 'headsFirst',
        prepare: () =>
          (shape.kind === 'layer' ? prepareLayer : prepareAttention)(jax, shape, inputs, wrap),
      }));
  },
};
