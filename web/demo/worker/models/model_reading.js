// Reading of one or two texts, or of an image, with an opened model.

import { tokenName } from '../../token_name.js';
import { noReading } from '../sources/no_reading.js';
import { blockedOptions, createRunAgain, effectOn, likeliestWith } from './blocked_run.js';
import { createInside } from './inside_run.js';
import { likeliest } from './likeliest.js';
import { partsOf } from './model_parts.js';
import { once } from './once.js';
import { readTranslation } from './written_text.js';

/** @import { Reading } from '../../types' */
/** @import { OpenedModel, ReadingContext, SourceQuestion } from '../types' */

/**
 * @param {OpenedModel} opened
 * @param {SourceQuestion} request
 * @param {ReadingContext} context
 * @returns {Promise<Reading>}
 */
export async function read(opened, request, context) {
  const { mode, first, second, block, from } = request;
  const { description, model, rules, texts } = opened;
  const isWriting = mode === 'cross';
  if (isWriting && description.self) {
    const one = rules ? 'looks at one picture' : 'reads one text';
    return noReading(`${opened.name} (${model.type}) ${one}: Self shows its attention.`);
  }
  if (rules) return { ...(await readPicture(opened, block)), from: opened.id };
  const text = isWriting ? texts.read(second, 'encoder', from) : texts.read(first, 'only', from);
  if (!text.labels) return noReading(text.why);
  await context.step();
  const reading = isWriting
    ? await readTranslation(opened, text, request, context)
    : await readOne(opened, text, block, context.signal);
  return { ...reading, from: opened.id };
}

/** Self-attention of the patches of an image and of [CLS] before them. */
async function readPicture(opened, block) {
  const { description, pixels, model } = opened;
  if (!pixels) return noReading('Choose a picture for the model to look at.');
  const before = block && (await readPicture(opened));
  const blocked = blockedOptions(block, description, { self: before?.rows.length });
  const result = await model.run({ pixels }, { projections: true, ...blocked });
  const { grid } = result;
  const classes = classLogits(result);
  const nowhere = { special: false, start: null, end: null };
  const patches = Array.from({ length: grid[0] * grid[1] }, (_, at) => {
    const text = `${Math.floor(at / grid[1]) + 1},${(at % grid[1]) + 1}`;
    return { text, word: at + 1, ...nowhere };
  });
  const labels = [{ text: '[CLS]', word: 0, ...nowhere, special: true }, ...patches];
  return {
    ...{ kind: 'model', rows: labels, columns: labels, texts: ['the picture'], grid },
    inputs: { input: { pixels }, counts: { self: labels.length } },
    parts: partsOf('self', 'Layer', description.self, result, {
      runAgain: createRunAgain(opened, { pixels }, blocked),
    }),
    inside: createInside(opened, { pixels }, blocked),
    ...(classes && { note: classesIn(model, classes), classes }),
    ...(before && {
      unedited: () => before,
      effect: () => classes && effectOnClasses(model, classes, before.classes),
    }),
  };
}

/** Logits of two or more classes as a row; undefined for other logits, such as one score. */
function classLogits({ logits }) {
  if (logits?.dims.length !== 1 || logits.dims[0] === 1) return undefined;
  return { data: logits.data, dims: [1, ...logits.dims] };
}

const classOf = ({ config }, id) => config.id2label?.[id] ?? `class ${id}`;

const effectOnClasses = (model, classes, before) =>
  effectOn(classes, before, 0, (id) => classOf(model, id));

/** The classes that the model finds most likely. */
function classesIn(model, classes) {
  const names = likeliest(classes, 0).map(
    ({ id, probability }) => `${classOf(model, id)} ${probability.toFixed(2)}`,
  );
  return `Most likely: ${names.join('; ')}.`;
}

/** Self-attention of one text. */
async function readOne(opened, text, block, signal) {
  const { description, isNaming, isClassifier, model, texts, known } = opened;
  const isOnly = Boolean(description.self);
  const stack = description.self ?? description.encoder;
  const { input, labels, cut, prompt, end, isEmpty } = text;
  const kind = isOnly ? 'self' : 'encoder';
  const counts = { [kind]: labels.length };
  const blocked = blockedOptions(block, description, counts);
  const result = await model.run(input, {
    projections: true,
    capture: known?.captures([kind]) ?? stack.layers[0].positionTerms,
    logits: isOnly && (isClassifier || (isNaming && Boolean(model.tokenizer))),
    // Only a run on a pool can be ended.
    ...(model.workers !== undefined && { signal }),
    ...blocked,
  });
  // The same text, with nothing blocked.
  const unedited = block ? once(() => readOne(opened, text)) : undefined;
  const classes = isClassifier ? classLogits(result) : undefined;
  const logits = isClassifier ? undefined : result.logits;
  const notes = [
    prompt && `The model puts “${prompt.trim()}” before the text.`,
    end && `Two texts with ${end} between them are read as a pair.`,
    classes && classesIn(model, classes),
    text.note,
  ].filter(Boolean);
  const title = isOnly ? 'Layer' : 'Encoder layer';
  const shown = isEmpty ? [] : labels;
  return {
    kind: 'model',
    rows: shown,
    columns: shown,
    texts: [text.text],
    ...(isOnly && { inputs: { input, counts } }),
    cut,
    read: text.window,
    parts: partsOf(kind, title, stack, result, {
      ...{ known, runAgain: createRunAgain(opened, input, blocked) },
    }),
    inside: createInside(opened, input, blocked),
    ...(stack.causal && {
      /** @param {number} sequence */
      headScores: async (sequence) => (await import('./head_scores.js')).scoresOf(opened, sequence),
    }),
    ...(input.typeIds?.includes(1) && { segments: input.typeIds }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
    classes,
    ...(logits && {
      logits,
      async nextWords(row, last) {
        const before = (await unedited?.())?.logits;
        return (stack.causal ? whatFollows : whatFits)(opened, text, logits, row, last, before);
      },
    }),
    ...(unedited && {
      unedited,
      async effect() {
        if (texts.effect) return texts.effect(text, block);
        const before = await unedited();
        if (classes) return effectOnClasses(model, classes, before.classes);
        if (!logits) return null;
        // What follows the text, or stands in its mask.
        const masked = input.ids.findIndex((id) => model.tokenizer.tokenOf(id) === opened.mask);
        if (!stack.causal && masked < 0) return null;
        const row = stack.causal ? input.ids.length - 1 : masked;
        const named = (id) => tokenName(textOf(model, id));
        const at = stack.causal ? 'At the end of the text' : `In the place of ${opened.mask}`;
        return { ...effectOn(logits, before.logits, row, named), at };
      },
    }),
  };
}

/** Text of a single token. */
function textOf({ tokenizer }, id) {
  return tokenizer.decode([id]) || tokenizer.tokenOf(id);
}

const isSpecial = ({ tokenizer }, id) => tokenizer.decode([id]) === '';

/** Most likely next tokens after those of a row. */
function whatFollows({ model }, { text, input, labels }, logits, _row, last, former) {
  const { tokenizer } = model;
  const before = text.slice(0, labels[last].end ?? 0);
  const read = input.ids.slice(0, last + 1);
  const soFar = tokenizer.decode(read);
  // A token may begin with a space that the text does not have there.
  const added = (id) => tokenizer.decode([...read, id]).slice(soFar.length);
  const words = likeliestWith(logits, last, former).map(({ id, probability, was }) => ({
    ...(was !== undefined && { was }),
    text: tokenName(added(id) || textOf(model, id)),
    probability,
    begin: before + added(id),
    special: isSpecial(model, id),
    isOwn: id === input.ids[last + 1],
  }));
  return { kind: 'follows', text, before, row: last + 1, words };
}

/** Most likely tokens instead of those of a row; `masked`: the text with a mask there. */
function whatFits({ model, mask }, { text, input, labels }, logits, row, last, former) {
  const { start, text: mark } = labels[row];
  const { end } = labels[last];
  const own = start === null ? mark : text.slice(start, end);
  // A special token such as [CLS] has no position in the text.
  const replacedBy = (word) =>
    start === null ? text : text.slice(0, start) + word + text.slice(end);
  const words = likeliestWith(logits, row, former).map(({ id, probability, was }) => {
    const spelled = tokenName(textOf(model, id));
    const special = isSpecial(model, id);
    const isOwn = row === last && id === input.ids[row];
    const begin = special ? text : replacedBy(textOf(model, id).trim());
    return { text: spelled, probability, begin, special, isOwn, ...(was !== undefined && { was }) };
  });
  const masked = mask && own !== mask && start !== null ? replacedBy(mask) : undefined;
  return { kind: 'fits', text, before: text.slice(0, start ?? 0), own, words, row, masked };
}
