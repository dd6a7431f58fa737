// Reads the weights of a PyTorch module from its state dict, an object or a Map from names to tensors.
import { describe } from './describe.js';
import { readTensor } from './tensor.js';

/**
 * @import { TensorInput } from './tensor.js'
 * @typedef {Record<string, TensorInput>} TensorFields tensors by the name of their field
 */

/**
 * The entries whose names begin with a prefix, which is removed.
 *
 * @param {unknown} stateDict
 * @param {string} prefix
 * @returns {[name: string, tensor: unknown][]}
 */
function entriesOf(stateDict, prefix) {
  const isMap = stateDict instanceof Map;
  if (!isMap && (typeof stateDict !== 'object' || stateDict === null || Array.isArray(stateDict))) {
    throw new TypeError(
      `stateDict must be an object or a Map of names and tensors, found ${describe(stateDict)}`,
    );
  }
  const entries = isMap ? [...stateDict] : Object.entries(stateDict);
  return entries
    .filter(([name]) => typeof name === 'string' && name.startsWith(prefix))
    .map(([name, tensor]) => [name.slice(prefix.length), tensor]);
}

/**
 * Fields of a record from a state dict.
 *
 * @param {string} where the PyTorch module
 * @param {unknown} stateDict an object or a Map of tensors
 * @param {string} prefix
 * @param {Record<string, string>} names the field of each name in the state dict
 * @param {Record<string, string>} refused the reason for each name that is known but not supported
 * @returns {TensorFields}
 */
export function readStateDict(where, stateDict, prefix, names, refused = {}) {
  const entries = entriesOf(stateDict, prefix);
  const fields = Object.create(null);
  for (const [name, tensor] of entries) {
    const fullName = `${prefix}${name}`;
    if (Object.hasOwn(refused, name)) {
      throw new RangeError(`stateDict has '${fullName}': ${refused[name]}`);
    }
    if (!Object.hasOwn(names, name)) {
      throw new RangeError(
        `unexpected key '${fullName}' in stateDict for ${where}; expected ${Object.keys(names).join(', ')}`,
      );
    }
    if (tensor !== undefined && tensor !== null) fields[names[name]] = readTensor(fullName, tensor);
  }
  if (entries.length === 0) {
    throw new RangeError(
      prefix === '' ? 'stateDict is empty' : `stateDict has no name that begins with '${prefix}'`,
    );
  }
  return fields;
}

/**
 * Throws if a required field is missing, with its name in the state dict.
 *
 * @param {TensorFields} fields
 * @param {string} prefix
 * @param {Record<string, string>} names see readStateDict()
 * @param {readonly string[]} needed
 */
export function requireFields(fields, prefix, names, needed) {
  for (const name of needed) {
    if (fields[names[name]] === undefined) {
      throw new RangeError(`missing key '${prefix}${name}' in stateDict`);
    }
  }
}

/**
 * Names of nn.MultiheadAttention and their fields. submodule: prefix of the names, such as 'self_attn.'.
 *
 * @returns {Record<string, string>}
 */
export function attentionNames(submodule = '', field = (/** @type {string} */ name) => name) {
  const names = {
    in_proj_weight: 'stacked',
    q_proj_weight: 'query',
    k_proj_weight: 'key',
    v_proj_weight: 'value',
    in_proj_bias: 'stackedBias',
    'out_proj.weight': 'output',
    'out_proj.bias': 'outputBias',
  };
  return Object.fromEntries(
    Object.entries(names).map(([name, to]) => [`${submodule}${name}`, field(to)]),
  );
}

/**
 * Names of nn.MultiheadAttention that are not supported, and the reason.
 *
 * @returns {Record<string, string>}
 */
export function refusedNames(submodule = '') {
  const reason = 'learned keys and values (add_bias_kv) are not supported';
  return { [`${submodule}bias_k`]: reason, [`${submodule}bias_v`]: reason };
}

/**
 * Requires either the stacked projections or all three separate ones.
 *
 * @param {TensorFields} fields
 * @param {string} prefix
 * @param {string} submodule
 * @param {Record<string, string>} names see readStateDict()
 */
export function requireProjections(fields, prefix, submodule, names) {
  const has = (/** @type {string} */ name) => fields[names[`${submodule}${name}`]] !== undefined;
  const separate = ['q_proj_weight', 'k_proj_weight', 'v_proj_weight'];
  if (has('in_proj_weight')) {
    const extra = separate.find(has);
    if (extra === undefined) return;
    throw new RangeError(
      `stateDict has '${prefix}${submodule}in_proj_weight' and '${prefix}${submodule}${extra}', but one replaces the other`,
    );
  }
  const missing = separate.find((name) => !has(name));
  if (missing === undefined) return;
  const expected = separate.some(has) ? missing : 'in_proj_weight';
  throw new RangeError(`missing key '${prefix}${submodule}${expected}' in stateDict`);
}
