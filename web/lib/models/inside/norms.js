// Norms of weighted, transformed values (Kobayashi et al., 2020): ‖α_ij v_j W_O^h‖ and ‖Σ_h α_ij v_j W_O^h‖, in doubles.
import { capturedLayers } from './captures.js';

/** heads × heads products of the vectors of one key position; values: heads × m × d. */
function gramOf({ data, dims: [heads, m, d] }, key) {
  const gram = new Float64Array(heads * heads);
  for (let a = 0; a < heads; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let c = 0; c < d; c++) sum += data[(a * m + key) * d + c] * data[(b * m + key) * d + c];
      gram[a * heads + b] = sum;
      gram[b * heads + a] = sum;
    }
  }
  return gram;
}

function normsOfLayer(weights, values) {
  const [heads, n, m] = weights.dims;
  const perHead = new Float32Array(heads * n * m);
  const together = new Float32Array(n * m);
  for (let key = 0; key < m; key++) {
    // |Σ_h α_h f_h|² = Σ_ab α_a α_b f_a·f_b
    const gram = gramOf(values, key);
    for (let query = 0; query < n; query++) {
      const at = (head) => (head * n + query) * m + key;
      let square = 0;
      for (let a = 0; a < heads; a++) {
        const weight = weights.data[at(a)];
        perHead[at(a)] = Math.abs(weight) * Math.sqrt(gram[a * heads + a]);
        for (let b = 0; b < heads; b++)
          square += weight * weights.data[at(b)] * gram[a * heads + b];
      }
      together[query * m + key] = Math.sqrt(Math.max(square, 0));
    }
  }
  return {
    heads: { data: perHead, dims: [heads, n, m] },
    together: { data: together, dims: [n, m] },
  };
}

/** norms() of a model: for each stack with captured values, those of its layers. */
export function norms({ stacks }, result) {
  const names = stacks.self ? ['self'] : ['encoder', 'decoder', 'cross'];
  const captured = (result?.captured ?? []).filter(({ at }) => at === 'value_out');
  if (captured.length === 0) capturedLayers(result, 'value_out', names[0]); // throws
  return captured.map(({ layer, stack, tensor }) => {
    const layers = result.attentions?.[stack];
    const weights = layers?.[layer];
    const { length } = (stacks[stack] ?? stacks.decoder).stack;
    if (layers?.length !== length || weights.dims.length !== 3) {
      throw new TypeError(
        `the result has no attention weights of all layers and heads of the stack '${stack}': run() needs the option attentions: true`,
      );
    }
    return { layer, stack, ...normsOfLayer(weights, tensor) };
  });
}
