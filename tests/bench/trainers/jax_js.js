// @jax-js/jax, its WebAssembly backend: the step as one function of valueAndGrad, compiled by jit.

const entry = new URL('../node_modules/@jax-js/jax/dist/index.js', import.meta.url);

/** Mean cross entropy of one batch. Functions take over their arguments; `ref` retains one. */
function lossOf({ numpy, nn }, { width, layers, heads, context, vocabulary }, batch) {
  const dim = width / heads;
  const norm = (x, p, name) => nn.standardize(x).mul(p[`${name}.weight`]).add(p[`${name}.bias`]);
  const linear = (x, p, name) => numpy.matmul(x, p[`${name}.weight`]).add(p[`${name}.bias`]);
  const inHeads = (x) => numpy.swapaxes(x.reshape([batch, context, heads, dim]), 1, 2);

  function attend(x, p, name, future) {
    const all = linear(norm(x, p, `${name}norm`), p, `${name}queryKeyValue`);
    const [query, key, value] = numpy.split(all, 3, -1).map(inHeads);
    const scores = numpy.matmul(query, numpy.swapaxes(key, -1, -2)).mul(1 / Math.sqrt(dim));
    const mixed = numpy.matmul(nn.softmax(scores.add(future)), value);
    const rows = numpy.swapaxes(mixed, 1, 2).reshape([batch * context, width]);
    return linear(rows, p, `${name}output`);
  }

  return (p, ids, targets, weights, future) => {
    let x = numpy.matmul(nn.oneHot(ids, vocabulary), p.embedding);
    x = x.reshape([batch, context, width]).add(p['decoder.positions']);
    x = x.reshape([batch * context, width]);
    for (let n = 0; n < layers; n++) {
      const at = `decoder.layers.${n}.`;
      x = x.ref.add(attend(x, p, `${at}self.`, n + 1 < layers ? future.ref : future));
      const hidden = linear(norm(x.ref, p, `${at}feedForward.norm`), p, `${at}feedForward.up`);
      x = x.add(linear(nn.gelu(hidden), p, `${at}feedForward.down`));
    }
    const logits = numpy.matmul(norm(x, p, 'decoder.norm'), numpy.transpose(p.head));
    const chosen = nn.logSoftmax(logits).mul(nn.oneHot(targets, vocabulary));
    return numpy.sum(numpy.sum(chosen, -1).mul(weights)).neg();
  };
}

/** One step of AdamW as a function of arrays. */
function stepOf(jax, sizes, batch, parameters, { betas: [beta1, beta2], clip }) {
  const { numpy } = jax;
  const names = Object.keys(parameters);
  const gradientsOf = jax.valueAndGrad(lossOf(jax, sizes, batch));
  return (p, m, v, rates, ...inputs) => {
    const [loss, g] = gradientsOf(
      Object.fromEntries(names.map((name) => [name, p[name].ref])),
      ...inputs,
    );
    const squares = names.map((name) => numpy.sum(numpy.square(g[name].ref)));
    const length = numpy.sqrt(squares.reduce((sum, square) => sum.add(square)));
    const factor = numpy.minimum(numpy.reciprocal(length).mul(clip), 1);
    const [rate, rootFactor, decay] = numpy.unstack(rates);
    const next = [{}, {}, {}];
    for (const name of names) {
      const gradient = g[name].mul(factor.ref);
      const first = m[name].mul(beta1).add(gradient.ref.mul(1 - beta1));
      const second = v[name].mul(beta2).add(numpy.square(gradient).mul(1 - beta2));
      const decayed = parameters[name].decays ? p[name].mul(numpy.subtract(1, decay.ref)) : p[name];
      const root = numpy.sqrt(second.ref).mul(rootFactor.ref).add(1e-8);
      next[0][name] = decayed.sub(first.ref.mul(rate.ref).div(root));
      next[1][name] = first;
      next[2][name] = second;
    }
    for (const used of [factor, rate, rootFactor, decay]) used.dispose?.();
    return [...next, loss];
  };
}

export const jaxJs = {
  name: 'jax-js',
  package: '@jax-js/jax',
  async open(sizes, parameters, optimizer) {
    const jax = await import(entry);
    await jax.init('wasm');
    jax.defaultDevice('wasm');
    const { numpy } = jax;
    const array = (data, dims, type) => numpy.array(data, { shape: dims, dtype: type });
    const all = (of) =>
      Object.fromEntries(
        Object.entries(parameters).map(([name, { data, dims }]) => [name, array(of(data), dims)]),
      );
    let state = [
      all((data) => data.slice()),
      all((data) => new Float32Array(data.length)),
      all((data) => new Float32Array(data.length)),
    ];
    let compiled;
    let steps = 0;
    const [beta1, beta2] = optimizer.betas;
    return {
      async step({ ids, targets }) {
        const count = ids.length * sizes.context;
        compiled ??= jax.jit(stepOf(jax, sizes, ids.length, parameters, optimizer));
        steps++;
        const flat = targets.flat();
        const counted = flat.filter((id) => id >= 0).length;
        const future = Float32Array.from({ length: sizes.context ** 2 }, (_, at) =>
          at % sizes.context > Math.floor(at / sizes.context) ? -1e30 : 0,
        );
        const rates = [
          optimizer.learningRate / (1 - beta1 ** steps),
          1 / Math.sqrt(1 - beta2 ** steps),
          optimizer.learningRate * optimizer.weightDecay,
        ];
        const [p, m, v, loss] = compiled(
          ...state,
          array(Float32Array.from(rates), [3]),
          array(Int32Array.from(ids.flat()), [count], numpy.int32),
          array(
            Int32Array.from(flat, (id) => Math.max(id, 0)),
            [count],
            numpy.int32,
          ),
          array(
            Float32Array.from(flat, (id) => (id >= 0 ? 1 / counted : 0)),
            [count],
          ),
          array(future, [sizes.context, sizes.context]),
        );
        state = [p, m, v];
        return (await loss.data())[0];
      },
    };
  },
};
