// Looks up the tensors of a file by the names of a model family: with or without a prefix, norms spelled weight and bias
// or gamma and beta. Tensors that were never looked up are an error.
import { sizeOf } from '../../arguments/dims.js';
import { quoted, spell } from '../../safetensors/malformed.js';

const types = ['float32', 'float16', 'bfloat16', 'float64', 'int8'];

// Ignored tensors: buffers that can be computed, and tensors for training only.
const ignored =
  /(^|\.)(position_ids|token_type_ids|rotary_emb(eddings)?\.inv_freq|embed_positions\.weights|mask_token|_float_tensor)$/;

/** @type {[pattern: RegExp, replacement: string][]} */
const otherSpellings = [
  [/(norm\w*|ln_\w+)\.weight$/i, '$1.gamma'],
  [/(norm\w*|ln_\w+)\.bias$/i, '$1.beta'],
  [/\.in_proj\.(weight|bias)$/, '.in_proj_$1'], // torch.nn.MultiheadAttention
];

/** 'a|b' and 'c|d' → 'ac|ad|bc|bd'. */
export const joined = (...lists) =>
  lists
    .map((list) => list.split('|'))
    .reduce((specialIds, ends) => specialIds.flatMap((start) => ends.map((end) => start + end)))
    .join('|');

export class TensorNames {
  #weights;
  #prefixes;
  #type;
  #known = new Set();
  #aliases = new Map();

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

  /** The name in the file of the first spelling present; the other spellings count as known, too. */
  find(name) {
    const found = this.#spellings(name).filter((one) => this.#weights.has(one));
    for (const one of found) this.#known.add(one);
    if (found.length > 1) this.#aliases.set(found.join(), found);
    return found[0];
  }

  /** Tensors of the file that are spellings of one name, the preferred one first. */
  get aliases() {
    return [...this.#aliases.values()];
  }

  has(name) {
    return this.find(name) !== undefined;
  }

  /** { name, dims, type }, checked; null matches any dim, and leading dims of 1 are ignored. */
  take(name, dims) {
    const found = this.find(name);
    if (found === undefined) {
      throw new RangeError(
        `missing tensor ${quoted(name.split('|')[0])} (with or without the prefix '${this.#prefixes[0]}') in the weights of this ${this.#type} model`,
      );
    }
    const tensor = this.#weights.describe(found);
    if (!types.includes(tensor.type)) {
      throw new RangeError(
        `tensor ${quoted(found)} has type '${tensor.type}'; expected ${types.join(', ')}`,
      );
    }
    if (tensor.type === 'int8' && tensor.scaleCount !== tensor.dims[0]) {
      throw new RangeError(
        `tensor ${quoted(found)} is int8 and needs ${quoted(`${found}.scales`)}: ${tensor.dims[0]} float32 numbers, one per row`,
      );
    }
    const shape = tensor.dims.slice(Math.max(0, tensor.dims.length - dims.length));
    const matches =
      shape.length === dims.length &&
      sizeOf(tensor.dims) === sizeOf(shape) &&
      dims.every((dim, axis) => dim === null || dim === shape[axis]);
    if (!matches) {
      const expected = dims.map((dim) => dim ?? 'any').join(', ');
      throw new RangeError(
        `tensor ${quoted(found)} has dims ${spell(tensor.dims)}; config.json requires [${expected}]`,
      );
    }
    return { name: found, dims: shape, type: tensor.type };
  }

  /** Throws if the file has unknown tensors: the config would not describe its model. */
  requireNoOthers(ignoredHere) {
    const others = [...this.#weights.names].filter(
      (name) => !this.#known.has(name) && !ignored.test(name) && !ignoredHere?.test(name),
    );
    if (others.length === 0) return;
    const shown = others.slice(0, 3).map(quoted).join(', ');
    const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
    throw new RangeError(
      `unexpected tensors for a ${this.#type} model with this config.json: ${shown}${more}`,
    );
  }
}
