// Reading the weights of a PyTorch module from its state dict: names to tensors, as an object or a Map.
import { describe } from './describe.js';
import { readTensor } from './tensor.js';

/** The entries below a prefix, their names without it. */
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
 * @param {object | Map<string, object>} stateDict
 * @param {string} prefix
 * @param {Record<string, string>} names for each name in the state dict the field that it fills
 * @param {Record<string, string>} refused names that are known and not supported, and why
 */
export function readStateDict(where, stateDict, prefix, names, refused = {}) {
  const entries = entriesOf(stateDict, prefix);
  const fields = Object.create(null);
  for (const [name, tensor] of entries) {
    const shown = `${prefix}${name}`;
    if (Object.hasOwn(refused, name)) {
      throw new RangeError(`stateDict has '${shown}': ${refused[name]}`);
    }
    if (!Object.hasOwn(names, name)) {
      throw new RangeError(
        `stateDict has '${shown}', which ${where} has not; it has ${Object.keys(names).join(', ')}`,
      );
    }
    if (tensor !== undefined && tensor !== null) fields[names[name]] = readTensor(shown, tensor);
  }
  if (entries.length === 0) {
    throw new RangeError(
      prefix === '' ? 'stateDict is empty' : `stateDict has no name that begins with '${prefix}'`,
    );
  }
  return fields;
}

/** Throws where a field is missing, with the name it would have. */
export function requireFields(fields, prefix, names, needed) {
  for (const name of needed) {
    if (fields[names[name]] === undefined) {
      throw new RangeError(`stateDict has no '${prefix}${name}'`);
    }
  }
}

/** Names of nn.MultiheadAttention and their fields; a part goes in front of both. */
export function attentionNames(part = '', field = (name) => name) {
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
    Object.entries(names).map(([name, to]) => [`${part}${name}`, field(to)]),
  );
}

/** Names that nn.MultiheadAttention may have and this library does not support, and why. */
export function refusedNames(part = '') {
  const reason = 'keys and values learnt beside those of the context are not supported';
  return { [`${part}bias_k`]: reason, [`${part}bias_v`]: reason };
}

/** Either the stacked projections or all three separate ones. */
export function requireProjections(fields, prefix, part, names) {
  const has = (name) => fields[names[`${part}${name}`]] !== undefined;
  const separate = ['q_proj_weight', 'k_proj_weight', 'v_proj_weight'];
  if (has('in_proj_weight')) {
    const extra = separate.find(has);
    if (extra === undefined) return;
    throw new RangeError(
      `stateDict has '${prefix}${part}in_proj_weight' and '${prefix}${part}${extra}', but one replaces the other`,
    );
  }
  const missing = separate.find((name) => !has(name));
  if (missing === undefined) return;
  const wanted = separate.some(has) ? missing : 'in_proj_weight';
  throw new RangeError(`stateDict has no '${prefix}${part}${wanted}'`);
}
