// A training run: the model, its losses, an example, and snapshots that lead back to any step.

import {
  batchOf,
  countRight,
  predictedIds,
  stepOptions,
  testBatch,
  trainingBatch,
} from '../../../tasks/rows.js';
import { tasks } from '../../../tasks/tasks.js';
import { pairsTask } from '../../pairs_task.js';
import { filesOf } from './model_files.js';
import { createSnapshots } from './snapshots.js';

export const testRows = 500;

// Attentions in the order of the page: [name in run(), name of a layer].
const stacks = [
  ['cross', 'Cross-attention, layer'],
  ['encoder', 'Encoder, layer'],
  ['decoder', 'Decoder, layer'],
  ['self', 'Layer'],
];

/** Returns a function that sets the vectors of positions to 0, to be called before each step. */
function positionEraser(model) {
  const ranges = [];
  let end = 0;
  for (const { name, data } of model.parameters()) {
    const first = end;
    end += data.length;
    if (name.endsWith('.positions')) ranges.push([first, end]);
  }
  return () => {
    const snapshot = model.snapshot();
    for (const range of ranges) snapshot.data.fill(0, ...range);
    model.restore(snapshot);
  };
}

/** `settings` as in learn_settings.js; `pairs`: the reader's lines, for the task of that name. */
export function createRun({ TrainableTransformer }, settings, pairs) {
  const task = settings.task === 'pairs' ? pairsTask(pairs) : tasks[settings.task];
  const { layers, heads, width, divided, rate, seed } = settings;
  const { tokens } = task;
  const sizes = { ...task.sizes, layers, heads, width };
  const scale = divided ? null : 1; // null: 1/√d
  const model = new TrainableTransformer({ ...sizes, vocabulary: tokens.length, seed, scale });
  const { rows } = task;
  const test = rows ? batchOf(rows) : testBatch(task, seed, testRows);
  const example = rows ? batchOf([rows[0]]) : testBatch(task, seed, 1);
  const losses = [];
  const erase = settings.positions ? () => {} : positionEraser(model);
  erase();
  const snapshots = createSnapshots(model);
  const texts = (ids) => ids.map((id) => tokens[id]);

  /** A written line of the reader's own lines ends with the mark, token 0. */
  const upToMark = (ids) => (ids.includes(0) ? ids.slice(0, ids.indexOf(0) + 1) : ids);

  /** The example with what the model writes by itself, each token after its own ones, in place of the right ones. */
  function writtenByItself() {
    const {
      ids: [ids],
      targets: [targets],
      decoderIds,
    } = example;
    const first = targets.findIndex((id) => id >= 0);
    // A text in which some tokens cannot be known is read as it is.
    if (!decoderIds && targets.indexOf(-1, first) >= 0) {
      return { ids, found: predictedIds(model, { ...example, decoderIds })[0] };
    }
    const count = targets.length - first;
    const [start] = decoderIds ?? [];
    const found = model.generate(decoderIds ? ids : ids.slice(0, first + 1), {
      maxTokens: count,
      ...(decoderIds && { decoderIds: start.slice(0, 1) }),
    });
    const before = found.slice(0, count - 1);
    if (decoderIds) return { ids, found, written: [start[0], ...before] };
    return {
      ids: [...ids.slice(0, first + 1), ...before],
      found: [...ids.slice(1, first + 1), ...found],
    };
  }

  function train() {
    const step = model.steps + 1;
    const batch = trainingBatch(task, seed, step);
    losses[step - 1] = model.step(batch, stepOptions(step, rate)).loss;
    erase();
    snapshots.keep();
  }

  return {
    losses,
    train,
    steps: () => model.steps,

    /** To a step done before: its nearest snapshot, and the same steps from there. */
    goTo(step) {
      if (step < model.steps) snapshots.restore(step);
      while (model.steps < step) train();
    },

    /** Labels, output and weights of every head for the example. */
    look() {
      const [targets] = example.targets;
      const { ids, found, written } = writtenByItself();
      const { attentions } = model.run(ids, {
        attentions: true,
        logits: false,
        decoderIds: written,
      });
      const labels = {
        cross: [found, ids],
        encoder: [ids, ids],
        decoder: [written, written],
        self: [ids, ids],
      };
      const first = targets.findIndex((id) => id >= 0);
      const isGiven = written || targets.indexOf(-1, first) >= 0; // else it reads its own output
      const output = (list) =>
        list.slice(first).map((id, at) => (targets[first + at] < 0 ? '·' : tokens[id]));
      return {
        input: texts(isGiven ? ids : ids.slice(0, first + 1)),
        output: output(rows ? upToMark(found) : found),
        expected: output(targets),
        parts: stacks
          .filter(([name]) => attentions[name])
          .flatMap(([name, title]) =>
            attentions[name].map(({ data, dims: [heads] }, layer) => ({
              part: `${name}.${layer}`,
              name: `${title} ${layer + 1}`,
              rows: texts(labels[name][0]),
              columns: texts(labels[name][1]),
              heads,
              weights: data,
              causal: name === 'decoder' || name === 'self',
            })),
          ),
      };
    },

    /** Rows that come out right, of those held out if there are any. */
    score: () => ({ right: countRight(model, test), of: test.ids.length }),
    files() {
      const name = `${settings.task}, step ${model.steps}`;
      return filesOf(model.save(), { name, tokens, ends: Boolean(rows) });
    },
    delete: () => model.delete(),
  };
}
