// The plan of a model: its tensors, checked against the config before any of them is read.
import { areTied, missingHead, planHead } from './plan_head.js';
import { dimsOf, planLayers } from './plan_layers.js';
import { TensorNames, joined } from './tensor_names.js';

const takeLinear = (names, name, [rows, columns], hasBias = true) => ({
  weight: names.take(`${name}.weight`, [rows, columns]),
  bias: hasBias ? names.take(`${name}.bias`, [rows]) : undefined,
});

/**
 * @param {import('./tensor_names.js').TensorNames} names
 * @param {string} name
 * @param {{ width: number, hasBias: boolean, offset?: number }} options
 */
const takeNorm = (names, name, { width, hasBias, offset }) => ({
  weight: { ...names.take(`${name}.weight`, [width]), ...(offset && { offset }) },
  ...(hasBias && { bias: names.take(`${name}.bias`, [width]) }),
});

function planPositions(names, positions, width) {
  if (!positions) return undefined;
  const { name, count } = positions;
  // Some files contain position embeddings that could be computed.
  if (positions.computed && !(name && names.has(`${name}.weight`))) return positions;
  return { ...positions, computed: undefined, table: names.take(`${name}.weight`, [count, width]) };
}

const takeTable = (names, name, dims) => names.take(joined(name, '.weight'), dims);

/** The first name of a table that the file has; the first of all if it has none. */
const findTable = (names, tables) =>
  tables.find((table) => names.has(joined(table, '.weight'))) ?? tables[0];

const hasNormBias = ({ options, withoutBias }) =>
  options.norm !== 'rms' && !(Array.isArray(withoutBias) && withoutBias.includes('norm'));

/** The names of tables that a head shares with the input: a file may have the table under the head's name only. */
const sharedNames = (heads, c) =>
  areTied(c) ? heads.flatMap(({ steps }) => steps.flatMap(({ words }) => words ?? [])) : [];

function planEmbedding(names, embed, vocabulary, stack) {
  const { width = stack.width, words, positions, types, norm, project, scale = 1 } = embed;
  const { projectsFirst = false, dropout } = embed;
  const summed = projectsFirst ? stack.width : width;
  return {
    ...{ width, scale, projectsFirst, dropout },
    words: takeTable(names, findTable(names, [words, ...stack.twins]), [vocabulary, width]),
    positions: planPositions(names, positions, summed),
    types: types && { ...types, table: names.take(`${types.name}.weight`, [types.count, width]) },
    norm: norm && takeNorm(names, norm, { width, hasBias: hasNormBias(stack) }),
    project: project && takeLinear(names, project, [stack.width, width], !projectsFirst),
  };
}

function planPatches(names, patches, width) {
  const { patch, channels, image, first, positions, projection } = patches;
  const trainedGrid = patch.map((size, axis) => Math.floor(image[axis] / size));
  return {
    ...{ patch, channels, image, trainedGrid },
    first: names.take(first, [1, width]),
    positions: names.take(positions, [1 + trainedGrid[0] * trainedGrid[1], width]),
    weight: names.take(`${projection}.weight`, [width, channels, ...patch]),
    bias: names.take(`${projection}.bias`, [width]),
  };
}

const layerDefaults = { normFirst: false, parallel: false, norm: 'layer', epsilon: 1e-5 };

function planStack(names, described, { vocabulary, twins }) {
  const options = { ...layerDefaults, ...described.options };
  const stack = { ...dimsOf({ ...described, options }), twins };
  const { embed, patches, norm, width, projectOut } = stack;
  return {
    ...stack,
    outWidth: projectOut?.rows ?? width,
    projectOut: projectOut && takeLinear(names, projectOut.name, [projectOut.rows, width], false),
    embed: embed && planEmbedding(names, embed, vocabulary, stack),
    patches: patches && planPatches(names, patches, width),
    layers: planLayers(names, stack),
    norm:
      norm &&
      takeNorm(names, norm, { width, hasBias: hasNormBias(stack), offset: stack.normOffset }),
  };
}

function planPooler(names, { pooler }, width) {
  // Models for token tasks are saved without a pooler.
  if (!pooler || !names.has(`${pooler.name}.weight`)) return undefined;
  const { rows = width } = pooler;
  return { ...pooler, ...takeLinear(names, pooler.name, [rows, width]), rows };
}

/** description: see describeModel(); c: ConfigFields; weights: see openWeights(). */
export function planModel(description, c, weights) {
  const type = String(c.get('model_type'));
  const names = new TensorNames(weights, description.prefix, type);
  const { vocabulary, decoderVocabulary = vocabulary } = description;
  const twins = sharedNames(description.heads, c);
  const stacks = {};
  for (const [side, words] of [
    ['self', vocabulary],
    ['encoder', vocabulary],
    ['decoder', decoderVocabulary],
  ]) {
    if (!description[side]) continue;
    stacks[side] = planStack(names, description[side], { vocabulary: words, twins });
  }
  const last = stacks.self ?? stacks.decoder;
  const pooler = planPooler(names, description, last.width);
  const head = planHead(names, description.heads, { c, stack: last, pooler });
  names.requireNoOthers(description.ignored);
  const warnings = [missingHead(description.heads, head, c)].filter(Boolean);
  return {
    warnings,
    ...{ type, stacks, pooler, head, pooled: description.pooled, vocabulary, decoderVocabulary },
    ...{ aliases: names.aliases, isTied: areTied(c), shiftsLast: description.shiftsLast },
  };
}
