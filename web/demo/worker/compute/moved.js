// Norm of what a row's token receives from a column's: ‖α v W_O‖ of each head. The weight α alone does not tell the
// norm of v W_O (Kobayashi et al. 2020, "Attention is Not Only a Weight", section 3).

const productsOf = new WeakMap(); // W_O → for each head W_O W_Oᵀ, with which ‖v W_O‖² = v (W_O W_Oᵀ) vᵀ

function productsIn(weight, heads) {
  if (productsOf.has(weight)) return productsOf.get(weight);
  const [rows, width] = weight.dims;
  const valueDim = rows / heads;
  const rowAt = (i) => weight.data.subarray(i * width, (i + 1) * width);
  const made = Array.from({ length: heads }, (_, head) => {
    const product = new Float64Array(valueDim * valueDim);
    for (let i = 0; i < valueDim; ++i) {
      for (let j = 0; j <= i; ++j) {
        const [one, other] = [rowAt(head * valueDim + i), rowAt(head * valueDim + j)];
        let sum = 0;
        for (let c = 0; c < width; ++c) sum += one[c] * other[c];
        product[i * valueDim + j] = sum;
        product[j * valueDim + i] = sum;
      }
    }
    return product;
  });
  productsOf.set(weight, made);
  return made;
}

/** ‖v W_O‖ of each head and column: heads × columns. */
function lengthsOf({ projection, heads, value }) {
  const [, columns, valueDim] = value.dims;
  const products = productsIn(projection().weight, heads);
  return Float64Array.from({ length: heads * columns }, (_, at) => {
    const product = products[Math.floor(at / columns)];
    const v = value.data.subarray(at * valueDim, (at + 1) * valueDim);
    let sum = 0;
    for (let i = 0; i < valueDim; ++i) {
      for (let j = 0; j < valueDim; ++j) sum += v[i] * v[j] * product[i * valueDim + j];
    }
    return Math.sqrt(Math.max(0, sum));
  });
}

/** ‖α v W_O‖ for a part with W_O, heads × rows × columns. */
export function movedOf(part, weights) {
  const [, columns] = part.value.dims;
  const rows = weights.length / part.heads / columns;
  const lengths = lengthsOf(part);
  return weights.map((weight, at) => {
    const head = Math.floor(at / (rows * columns));
    return Math.abs(weight) * lengths[head * columns + (at % columns)];
  });
}
