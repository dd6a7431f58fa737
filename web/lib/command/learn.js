// `attention-wasm learn`: trains a small Transformer on a task and shows loss and attention.

import { writeSafetensors } from '../safetensors.js';
import {
  countRight,
  predictedIds,
  stepOptions,
  testBatch,
  trainingBatch,
} from '../../tasks/rows.js';
import { tasks } from '../../tasks/tasks.js';
import { defaults, maxSteps } from './learn_help.js';
import { matrixTables } from './matrix_table.js';
import { checkFolder, saveFiles } from './save_folder.js';
import {
  UsageError,
  parseOptions,
  readColor,
  readFormat,
  readHelpRequest,
  readInteger,
  readNumber,
  sharedOptions,
} from './shell_options.js';
import { wrap } from './terminal_text.js';

export { learnHelp as help } from './learn_help.js';

const configFile = 'config.json';
const weightsFile = 'model.safetensors';
const testRows = 200;
const curveLines = 20;
const maxBarWidth = 40;

const { json, color, help: helpOption, version } = sharedOptions;
const ownOptions = {
  json,
  color,
  help: helpOption,
  version,
  steps: { type: 'string' },
  seed: { type: 'string' },
  scale: { type: 'string' },
  save: { type: 'string' },
};

export function readArguments(args) {
  const { values, texts } = parseOptions(args, ownOptions);
  const helpRequest = readHelpRequest(values);
  if (helpRequest) return helpRequest;
  const names = Object.keys(tasks)
    .join(', ')
    .replace(/, (?=\w+$)/, ' or ');
  if (texts.length === 0) throw new UsageError(`missing task: ${names}`);
  if (texts.length > 1) throw new UsageError(`${texts.length} tasks; expected one`);
  const [name] = texts;
  if (!(name in tasks)) throw new UsageError(`unknown task "${name}"; expected ${names}`);
  if (values.save === '') throw new UsageError('--save is ""; expected a folder');
  const { steps = String(defaults.steps), seed = String(defaults.seed) } = values;
  return {
    shows: 'learning',
    name,
    task: tasks[name],
    steps: readInteger('steps', steps, 1, maxSteps),
    seed: readInteger('seed', seed, 0, 2 ** 32 - 1),
    scale: values.scale === undefined ? null : readNumber('scale', values.scale),
    save: values.save,
    format: readFormat(values, ['json']),
    color: readColor(values.color),
  };
}

export async function* lines(request, { paint, width }) {
  const { name, task, steps, seed, scale, save, format } = request;
  // Imported lazily, so that --help and usage errors do not load the module.
  const { loadTraining } = await import('attention-wasm/training');
  const { TrainableTransformer } = await loadTraining();
  if (save !== undefined) await checkFolder(save, [configFile, weightsFile]);
  const vocabulary = task.tokens.length;
  const model = new TrainableTransformer({ ...task.sizes, vocabulary, seed, scale });
  const isTable = format === 'table';
  if (isTable) yield* wrap(heading(request), width).map((line) => paint.bold(line));
  const losses = [];
  for (let step = 1; step <= steps; step++) {
    const options = stepOptions(step, task.learningRate);
    const { loss } = model.step(trainingBatch(task, seed, step), options);
    losses.push(loss);
    const isShown =
      step === 1 ||
      Math.floor((step * curveLines) / steps) > Math.floor(((step - 1) * curveLines) / steps);
    if (isTable && isShown) yield curveLine(step, losses, String(steps).length, width);
  }
  const right = countRight(model, testBatch(task, seed, testRows));
  const example = exampleOf(model, task, testBatch(task, seed, 1));
  if (save !== undefined) await saveTo(save, model);
  if (isTable) {
    yield '';
    yield `${right} of ${testRows} unseen rows are right.`;
    yield* attentionTables(task.unit, example, paint, width);
    if (save !== undefined) yield `Saved in ${save}.`;
  } else {
    const { output, rows, columns, layers } = example;
    const attention = layers.map(({ data, dims }) => ({ data: [...data], dims }));
    const shown = { output, rows, columns, attention };
    yield JSON.stringify({ task: name, steps, seed, losses, right, of: testRows, example: shown });
  }
}

function heading({ name, task: { title, sizes }, seed }) {
  const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const { kind, layers, heads, width } = sizes;
  return `${name}: ${title}. ${kind}, ${count(layers, 'layer')}, ${count(heads, 'head')}, width ${width}, seed ${seed}`;
}

function curveLine(step, losses, digits, width) {
  const loss = losses.at(-1);
  const text = `step ${String(step).padStart(digits)}  loss ${loss.toFixed(4)}  `;
  const room = Math.max(0, Math.min(maxBarWidth, width - text.length));
  return `${text}${'█'.repeat(Math.round(room * Math.min(1, loss / losses[0])))}`.trimEnd();
}

function exampleOf(model, task, batch) {
  const [ids] = batch.ids;
  const [targets] = batch.targets;
  const [found] = predictedIds(model, batch);
  const { attentions } = model.run(ids, {
    attentions: true,
    logits: false,
    decoderIds: batch.decoderIds?.[0],
  });
  const tokenOf = (id) => task.tokens[id];
  const { rows, columns } = task.labels({ ids, targets: found });
  return {
    ...task.attention(attentions),
    output: found.filter((_, at) => targets[at] >= 0).map(tokenOf),
    rows: rows.map(tokenOf),
    columns: columns.map(tokenOf),
  };
}

function* attentionTables(unit, { title, layers, causal, rows, columns, output }, paint, width) {
  const size = rows.length * columns.length;
  const tables = layers.flatMap(({ data, dims: [heads] }, layer) =>
    Array.from({ length: heads }, (_, head) => ({
      title: `${title}, layer ${layer + 1}, head ${head + 1}`,
      rows,
      columns,
      unit,
      weight: (i, j) => data[head * size + i * columns.length + j],
      visible: (i, j) => !causal || j <= i,
    })),
  );
  yield* wrap(`An example: its output is ${output.join(' ')}.`, width);
  yield* matrixTables(tables, paint, width);
}

async function saveTo(folder, model) {
  const { config, weights } = model.save();
  await saveFiles(folder, {
    [configFile]: `${JSON.stringify(config, null, 2)}\n`,
    // transformers opens files that name PyTorch as their format.
    [weightsFile]: writeSafetensors(weights, { metadata: { format: 'pt' } }),
  });
}
