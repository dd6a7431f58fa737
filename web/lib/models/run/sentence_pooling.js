// Reads how a sentence encoder takes texts and pools, from modules.json and the folders that it names (the format of
// sentence-transformers): a Transformer, then Pooling, then any number of Dense and Normalize. Other modules are refused.
import { describe } from '../../arguments/describe.js';
import { ConfigFields } from '../config/config_fields.js';
import { isInnerPath } from '../sources/file_text.js';
import { toFloat32 } from './weight_storage.js';

// In the order in which sentence-transformers concatenates them.
const modes = new Map(
  Object.entries({
    cls: 'pooling_mode_cls_token',
    max: 'pooling_mode_max_tokens',
    mean: 'pooling_mode_mean_tokens',
    mean_sqrt_len_tokens: 'pooling_mode_mean_sqrt_len_tokens',
    weightedmean: 'pooling_mode_weightedmean_tokens',
    lasttoken: 'pooling_mode_lasttoken',
  }),
);

const activations = { Identity: undefined, Tanh: 'tanh', ReLU: 'relu', GELU: 'gelu' };
Object.assign(activations, { SiLU: 'silu', Sigmoid: 'sigmoid' });

const advice = 'pooling: false loads the model without it';

function refuse(what, found, expected) {
  throw new RangeError(`${what} is ${describe(found)}, expected ${expected}; ${advice}`);
}

/** The last part of the name of a Python class. */
const className = (value) => (typeof value === 'string' ? value.split('.').at(-1) : value);

const oneOf = (names) => `one of ${names.map((name) => describe(name)).join(', ')}`;

/** The file of a module's folder, as ConfigFields. */
async function configOf(source, { path }, where) {
  if (!isInnerPath(path)) refuse(`the path of ${where}`, path, 'a folder inside that of the model');
  const name = `${path}/config.json`;
  const config = await source.json(name);
  if (config === undefined) throw new RangeError(`missing file ${name}, of ${where}; ${advice}`);
  return new ConfigFields(config, name);
}

/** Modes of a config: one or several names, or flags of the older form. */
function readModes(c, where) {
  const named = c.get('pooling_mode');
  const flags = c.names.filter((name) => /^pooling_mode_/.test(name) && c.flag(name, false));
  const names = named === undefined ? flags : [named].flat();
  const accepted = [...(named === undefined ? modes.values() : modes.keys())];
  const wrong = names.findIndex((name) => !accepted.includes(name));
  if (wrong >= 0) refuse(`the pooling mode of ${where}`, names[wrong], oneOf(accepted));
  const chosen = [...modes].filter((spellings) => spellings.some((name) => names.includes(name)));
  if (chosen.length > 0) return chosen.map(([mode]) => mode);
  throw new RangeError(`${where} has no pooling mode; ${advice}`);
}

/** A Dense module as { weight, bias?, activation? }. */
async function readDense(source, module, { where, width }) {
  const c = await configOf(source, module, where);
  const activation = className(c.get('activation_function') ?? 'Tanh');
  const accepted = Object.keys(activations);
  if (!accepted.includes(activation)) {
    refuse(`'activation_function' of ${where}`, activation, oneOf(accepted));
  }
  for (const name of ['module_input_name', 'module_output_name']) {
    c.require(name, 'sentence_embedding');
  }
  c.require('in_features', width);
  const dims = [c.integer('out_features'), width];
  const shapes = {
    'linear.weight': dims,
    ...(c.flag('bias', true) && { 'linear.bias': [dims[0]] }),
  };
  const weights = await source.weightsIn(module.path);
  const tensors = [];
  for (const [name, expected] of Object.entries(shapes)) {
    const found = weights.has(name) ? weights.describe(name).dims : undefined;
    if (String(found) !== String(expected)) {
      const shape = found ? `dims ${found.join('×')}` : 'no such tensor';
      throw new RangeError(
        `'${name}' of ${where} has ${shape}, its config.json requires ${expected.join('×')}`,
      );
    }
    // Copied: read() reuses its memory.
    tensors.push(toFloat32((await weights.read([name])).get(name)).slice());
  }
  const [weight, bias] = tensors;
  return {
    kind: 'Dense',
    weight: { data: weight, dims },
    bias,
    activation: activations[activation],
  };
}

const steps = {
  Dense: readDense,
  Normalize: async () => ({ kind: 'Normalize' }),
  Dropout: async () => undefined, // does nothing outside training
};

// In the order in which sentence-transformers looks for them.
const transformerConfigs = [
  'bert',
  'roberta',
  'distilbert',
  'camembert',
  'albert',
  'xlm-roberta',
  'xlnet',
];

/** { maxTokens?, lowerCases } of the first of those files, which a Transformer's folder may have. */
async function readTransformer(source, { path }, where) {
  if (path !== '' && !isInnerPath(path)) {
    refuse(`the path of ${where}`, path, 'a folder inside that of the model');
  }
  let name;
  let config;
  for (const kind of transformerConfigs) {
    name = `${path === '' ? '' : `${path}/`}sentence_${kind}_config.json`;
    config = await source.json(name);
    if (config !== undefined) break;
  }
  const c = new ConfigFields(config ?? {}, name);
  return {
    maxTokens: c.get('max_seq_length') === undefined ? undefined : c.integer('max_seq_length'),
    lowerCases: c.flag('do_lower_case', false),
  };
}

/** { prompts, defaultPrompt? } of config_sentence_transformers.json: a Map from names to texts, and a name. */
async function readPrompts(source) {
  const name = 'config_sentence_transformers.json';
  const c = new ConfigFields((await source.json(name)) ?? {}, name);
  const read = c.nested('prompts');
  const prompts = new Map(read?.names.map((one) => [one, read.get(one) ?? '']));
  for (const [one, text] of prompts) {
    if (typeof text !== 'string') refuse(`the prompt '${one}' of ${name}`, text, 'a string');
  }
  const defaultPrompt = c.get('default_prompt_name');
  if (defaultPrompt !== undefined && !prompts.has(defaultPrompt)) {
    refuse(`'default_prompt_name' of ${name}`, defaultPrompt, oneOf([...prompts.keys()]));
  }
  return { prompts, defaultPrompt };
}

/**
 * { modes, includesPrompt, steps, prompts, defaultPrompt?, maxTokens?, lowerCases } of a sentence encoder, or undefined if
 * there is no modules.json. width: of a token's vector.
 */
export async function readPooling(source, width) {
  const modules = await source.json('modules.json');
  if (modules === undefined) return undefined;
  if (!Array.isArray(modules)) refuse('modules.json', modules, 'an array');
  const [transformer, pooling, ...others] = modules;
  const where = (n) => `module ${n} of modules.json`;
  for (const [n, [module, kind]] of [
    [transformer, 'Transformer'],
    [pooling, 'Pooling'],
  ].entries()) {
    const found = className(module?.type);
    if (found !== kind) refuse(`the type of ${where(n)}`, found, describe(kind));
  }
  const transformerFields = await readTransformer(source, transformer, where(0));
  const poolingConfig = await configOf(source, pooling, where(1));
  const read = {
    ...transformerFields,
    ...(await readPrompts(source)),
    modes: readModes(poolingConfig, where(1)),
    includesPrompt: poolingConfig.flag('include_prompt', true),
    steps: /** @type {object[]} */ ([]),
  };
  let length = width * read.modes.length;
  for (const [at, module] of others.entries()) {
    const name = where(at + 2);
    const kind = className(module?.type);
    if (!Object.hasOwn(steps, kind)) refuse(`the type of ${name}`, kind, oneOf(Object.keys(steps)));
    const step = await steps[kind](source, module, { where: name, width: length });
    length = step?.weight?.dims[0] ?? length;
    if (step) read.steps.push(step);
  }
  return read;
}
