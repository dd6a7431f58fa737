// Encoder–decoder models: one text is the encoder's input, the other is written, continued from a beginning, or the
// reader's own. Each row is the token about to be written; the decoder's input are those before it.

import { noReading } from '../sources/no_reading.js';
import { blockedOptions, createRunAgain } from './blocked_run.js';
import { createInside } from './inside_run.js';
import { partsOf } from './model_parts.js';
import { once } from './once.js';

/** @import { ModelResult, RunOptions, StackDescription } from 'attention-wasm/models' */
/** @import { Label, ModelReading, NoReading } from '../../types' */
/** @import { OpenedModel, ReadingContext, ReadText, SourceQuestion, WrittenText } from '../types' */

/**
 * `first`: the reader's own text for the decoder; `begin`: beginning of a text that the model writes.
 * @param {OpenedModel} opened
 * @param {ReadText} read input of the encoder
 * @param {SourceQuestion} request
 * @param {ReadingContext} context
 * @returns {Promise<ModelReading | NoReading>}
 */
export async function readTranslation(opened, read, request, context) {
  const { first, begin = '', block } = request;
  const { texts } = opened;
  const why = texts.whyNot?.(first);
  if (why) return noReading(why);
  if (first.trim() !== '') {
    const own = texts.own(first);
    return {
      ...(await readingOf(opened, read, own, block)),
      ...(block && { effect: () => texts.effect?.(read, block, own) ?? null }),
    };
  }
  if (!block) return readingOf(opened, read, await write(opened, read, begin, '', context));
  // What the model wrote before, which a quick model shows at once with the new weights.
  const former = texts.former
    ? await texts.former(read, begin)
    : await write(opened, read, begin, '', context);
  if (texts.isQuick) {
    const { text } = former;
    await context.report({ text, reading: await unfinished(opened, read, former, block) });
    await context.step();
  }
  // A quick model shows no drafts: rows that come one by one would move the map.
  const quietly = texts.isQuick ? { ...context, report: async () => {} } : context;
  const now = await write(opened, read, begin, block, quietly);
  return {
    ...(await readingOf(opened, read, now, block)),
    formerRows: read.isEmpty ? [] : former.rows,
    effect: () => ({ kind: 'written', lang: texts.lang, was: former.text, now: now.text }),
  };
}

/**
 * Writes token by token; reports the text so far, of a quick model with its attention.
 * @param {OpenedModel} opened
 * @param {ReadText} read
 * @param {string} begin
 * @param {string} block
 * @param {ReadingContext} context
 */
async function write(opened, read, begin, block, { step, report }) {
  const writing = opened.texts.write(read, begin, block);
  for (;;) {
    const { value, done } = await writing.next();
    if (done) return value;
    if (value) {
      const { text, written } = value;
      await report({
        text,
        ...(written && { reading: await unfinished(opened, read, written, block) }),
      });
    }
    await step();
  }
}

/** @type {(opened: OpenedModel, read: ReadText, written: WrittenText, block: string) => Promise<ModelReading>} */
async function unfinished(opened, read, written, block) {
  const whole = await readingOf(opened, read, written, block);
  const { nextWords: _next, inside: _inside, unedited: _unedited, ...reading } = whole;
  return { ...reading, unfinished: true };
}

/**
 * The reading of one text with another.
 * @param {OpenedModel} opened
 * @param {ReadText} read
 * @param {WrittenText} written
 * @param {string} [block]
 * @returns {Promise<ModelReading>}
 */
async function readingOf(opened, read, written, block) {
  const { description, isNaming, model, texts, known } = opened;
  const { encoder, decoder } = /** @type {Record<string, StackDescription>} */ (description);
  const { rows, before, text, decoderIds } = written;
  const columns = read.labels;
  const input = { ids: read.input.ids, decoderIds };
  const counts = { encoder: input.ids.length, decoder: decoderIds.length };
  const blocked = blockedOptions(block, description, counts);
  const notes = texts.notes(read, written);
  /** @param {Pick<RunOptions, 'edits'>} edited */
  const run = (edited) =>
    model.run(input, {
      projections: true,
      logits: isNaming && texts.usesLogits,
      capture: known?.captures(['encoder', 'decoder']),
      ...edited,
    });
  /** @type {(result: ModelResult, edited: Pick<RunOptions, 'edits'>) => ModelReading['parts']} */
  const partsFrom = (result, edited) => {
    const common = { known, runAgain: createRunAgain(opened, input, edited) };
    return [
      ...partsOf('cross', 'Cross-attention, layer', decoder, result, {
        ...{ ...common, note: notes.cross },
      }).reverse(),
      ...partsOf('decoder', 'Decoder layer', decoder, result, {
        ...{ ...common, rows, columns: before, texts: [text, text], ordered: true },
        note: notes.decoder,
      }),
      ...partsOf('encoder', 'Encoder layer', encoder, result, {
        ...{ ...common, rows: columns, columns, texts: [read.text, read.text] },
      }),
    ];
  };
  const result = await run(blocked);
  // The same text, with nothing blocked.
  const unblocked = block ? once(async () => run({})) : undefined;
  /** @param {Label[]} labels */
  const drawn = (labels) => (read.isEmpty ? [] : labels);
  const labels = { rows: drawn(rows), columns: drawn(columns) };
  return {
    kind: 'model',
    ...labels,
    parts: partsFrom(result, blocked),
    inside: createInside(opened, input, blocked),
    texts: [text, read.text],
    translation: text,
    ...(isNaming && { inputs: { input, counts, written: written.writes } }),
    ...(unblocked && {
      unedited: async () => ({
        ...{ kind: 'model', ...labels, parts: partsFrom(await unblocked(), {}) },
      }),
    }),
    cut: [read.cut, written.cut].filter(Boolean).join(' '),
    read: read.window,
    note: notes.note,
    nextWords: texts.nextWords(read, written, { block, result, unblocked }),
  };
}
