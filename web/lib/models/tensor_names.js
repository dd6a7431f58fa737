// The tensors of a file by the names a family has for them: with and without the prefix that a model with a head puts
// before them, norms spelled weight and bias or gamma and beta; and what is left over in the end.
import { quoted, spell } from '../safetensors/malformed.js';

const types = ['float32', 'float16', 'bfloat16', 'float64'];

// Of use to PyTorch, not to a model: numbers that are computed, and what only training needs.
const ignored =
  /(^|\.)(position_ids|token_type_ids|rotary_emb\.inv_freq|embed_positions\.weights|mask_token|_float_tensor)$/;

const otherSpellings = [
  [/(norm\w*|ln_\w+)\.weight$/i, '$1.gamma'],
  [/(norm\w*|ln_\w+)\.bias$/i, '$1.beta'],
];

/** 'a|b' and 'c|d' → 'ac|ad|bc|bd'. */
export const joined = (...lists) =>
  lists
    .map((list) => list.split('|'))
    .reduce((starts, ends) => starts.flatMap((start) => ends.map((end) => start + end)))
    .join('|');

const product = (dims) => dims.reduce((size, dim) => size * dim, 1);

export class TensorNames {
  #weights;
  #prefixes;
  #type;
  #known = new Set();

  constructor(weights, prefix, type) {
    this.#weights = weights;
    this.#prefixes = [prefix, '', 'model.', 'transformer.', `model.${prefix}`];
    this.#type = type;
  }

  #spellings(name) {
    const bare = name.split('|');
    const others = bare.flatMap((one) =>
      otherSpellings.filter(([from]) => from.test(one)).map(([from, to]) => one.replace(from, to)),
    );
    return [...bare, ...others].flatMap((one) => this.#prefixes.map((prefix) => prefix + one));
  }

  /** The name in the file of the first spelling that is there; the others are known as well. */
  find(name) {
    const found = this.#spellings(name).filter((one) => this.#weights.has(one));
    for (const one of found) this.#known.add(one);
    return found[0];
  }

  has(name) {
    return this.find(name) !== undefined;
  }

  /** { name, dims, type }, checked; a dim of null may be any, and dims of 1 in front do not count. */
  take(name, dims) {
    const found = this.find(name);
    if (found === undefined) {
      throw new RangeError(
        `the weights have no tensor ${quoted(name.split('|')[0])} (nor with '${this.#prefixes[0]}' before it), which this ${this.#type} needs`,
      );
    }
    const given = this.#weights.describe(found);
    if (!types.includes(given.type)) {
      throw new RangeError(
        `tensor ${quoted(found)} is of type '${given.type}', but weights must be ${types.join(', ')}`,
      );
    }
    const shape = given.dims.slice(Math.max(0, given.dims.length - dims.length));
    const suits =
      shape.length === dims.length &&
      product(given.dims) === product(shape) &&
      dims.every((dim, axis) => dim === null || dim === shape[axis]);
    if (!suits) {
      const wanted = dims.map((dim) => dim ?? 'any').join(', ');
      throw new RangeError(
        `tensor ${quoted(found)} is ${spell(given.dims)}, but config.json makes it [${wanted}]`,
      );
    }
    return { name: found, dims: shape, type: given.type };
  }

  /** Refuses tensors that nothing has asked for: the model would not be what its file says. */
  requireNoOthers(also) {
    const others = [...this.#weights.names].filter(
      (name) => !this.#known.has(name) && !ignored.test(name) && !also?.test(name),
    );
    if (others.length === 0) return;
    const shown = others.slice(0, 3).map(quoted).join(', ');
    const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
    throw new RangeError(
      `the weights have tensors that a ${this.#type} with this config.json has no use for: ${shown}${more}`,
    );
  }
}
