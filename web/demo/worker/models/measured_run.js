// Runs of the reader's model with one set of blocks after another: the log probabilities of what it predicts without
// them. Runs share the layers before the first that a block changes (sweep() of attention-wasm/models).

import { sweep } from 'attention-wasm/models';
import { tokenName } from '../../token_name.js';
import { wordsIn } from '../sources/token_groups.js';
import { blockedOptions } from './blocked_run.js';
import { openModel } from './open_model.js';

const manyLogits = 4e6; // numbers that one run returns; a longer text is measured at one position

/** @import { Tensor } from 'attention-wasm' */
/** @import { LoadedModel } from 'attention-wasm/models' */
/** @import { ModelReading } from '../../types' */
/** @import { MeasuredQuestion, MeasuringContext } from '../types' */

/**
 * As measure() of measured_model.js, for the token `row`; resolves to { why } if there is nothing to measure.
 * @param {MeasuredQuestion} question
 * @param {Pick<MeasuringContext, 'signal' | 'begin' | 'add'> & { maxLogits?: number }} context
 */
export async function measure(
  { request, reading, row, now, blocks, difference },
  { signal, begin, add, maxLogits = manyLogits },
) {
  const opened = openModel();
  const { inputs } = reading;
  if (!inputs && request.mode === 'self') {
    return { why: 'In Self this model only reads: Cross shows what it writes.' };
  }
  if (!inputs) return { why: nothing };
  const { model } = opened;
  const optionsFor = (block) => blockedOptions(block, opened.description, inputs.counts);
  const { logits } = await model.run(inputs.input, optionsFor(now));
  if (!logits) return { why: nothing };
  const isSpan = /QuestionAnswering/.test(model.config.architectures?.[0]);
  if (isSpan || logits.dims.at(-1) === 1) {
    return { why: 'This model returns scores, not probabilities of words or classes.' };
  }
  const all = targetsOf(opened, reading, logits);
  if (all.length === 0) return { why: 'The model writes nothing here.' };
  const canCompare = logits.dims.length > 1 && logits.dims[1] === model.vocabularySize;
  const two = difference && canCompare ? comparedOf(opened, difference) : undefined;
  if (two?.why) return { why: two.why };
  const targets = two
    ? [comparedAt(targetAt(all, row), two)]
    : logits.data.length <= maxLogits
      ? all
      : [targetAt(all, row)];
  begin({
    ...(two && { versus: two.words[1] }),
    targets: targets.map(({ text, label, tokens }) => ({ text, label, tokens })),
    whole: inputs.written !== undefined && targets === all ? 'the whole text' : '',
    isPartial: targets !== all,
    logProbabilities: targets.map((target) => logProbabilityOf(logits, target)),
  });
  const [[position]] = targets[0].at;
  const isOne = logits.dims.length > 1 && targets.length === 1 && isAtOne(targets[0]);
  let runs = -1; // the first is that without any edits
  await sweep(model, inputs.input, {
    signal,
    over: { layers: Array.from(blocks.keys()), heads: false },
    edit: (index) => optionsFor(blocks[index]).edits ?? [],
    ...(isOne && { position }),
    metric(result) {
      const first = isOne ? position : 0;
      const values = targets.map((target) => logProbabilityOf(result.logits, target, first));
      if (++runs > 0) add(values);
      return values[0];
    },
  });
  return {};
}

const isAtOne = ({ at }) => at.every(([row]) => row === at[0][0]);

const nothing = 'This model predicts nothing: it came without a head.';

const targetAt = (targets, row) =>
  targets.find(({ tokens }) => tokens.includes(row)) ?? targets.at(-1);

/**
 * Two words with their ids, each one token of the model: as it stands within a text, else as given, else a token of its vocabulary.
 * @param {{ model: LoadedModel }} opened
 * @param {[string, string]} words
 * @returns {{ words: [string, string], ids: number[], why?: string }} `why`: the reason why one has none
 */
function comparedOf({ model: { tokenizer, vocabularySize = 0 } }, words) {
  /** @type {number[]} */
  const ids = [];
  for (const word of words) {
    const ways = tokenizer
      ? [` ${word}`, word].map((text) => tokenizer.encodePlain(text))
      : [/^\d+$/.test(word) && Number(word) < vocabularySize ? [Number(word)] : []];
    const own = tokenizer?.specialIdOf(word);
    const found = own === undefined ? ways.find(({ length }) => length === 1) : [own];
    if (!found) {
      const { length } = ways[ways.length - 1];
      const why = length > 1 ? `it is ${length} tokens` : 'it has none';
      return { words, ids, why: `“${word}” is no single token of this model: ${why}.` };
    }
    ids.push(found[0]);
  }
  return { words, ids };
}

/**
 * A target whose number is the logit of one id minus that of another, at its last position.
 * @param {{ tokens: number[], at: [row: number, id: number][] }} target
 * @param {{ ids: number[], words: [string, string] }} two
 */
function comparedAt({ tokens, at }, { ids: [one, other], words: [text, versus] }) {
  const [row] = at[at.length - 1];
  /** @type {[row: number, id: number, sign: number][]} */
  const signed = [
    [row, one, 1],
    [row, other, -1],
  ];
  return { text, label: `${text} / ${versus}`, tokens, at: signed };
}

/**
 * What the model predicts: [{ text, label, tokens: rows of the picture, at: [[row of logits, id]] }].
 * @param {{ model: LoadedModel, mask?: string }} opened
 * @param {ModelReading} reading with inputs
 * @param {Tensor} logits
 * @returns {{ text: string, label: string, tokens: number[], at: [row: number, id: number][] }[]}
 */
function targetsOf({ model, mask }, { rows, inputs }, logits) {
  /** @param {number} id */
  const nameOf = (id) => nameIn(model, logits, id);
  /** @type {(row: number) => [row: number, id: number]} */
  const likeliest = (row) => [row, likeliestId(logits, row)];
  if (logits.dims.length === 1) {
    const at = [likeliest(0)];
    const text = nameOf(at[0][1]);
    return [{ text, label: text, tokens: [], at }];
  }
  const written = inputs?.written;
  if (written) {
    return wordsIn(rows).flatMap(({ text, tokens }) => {
      const at = tokens.flatMap((row) => {
        const id = written[row];
        return id === undefined ? [] : [/** @type {[number, number]} */ ([row, id])];
      });
      if (at.length === 0) return [];
      return [{ text, label: text, tokens, at }];
    });
  }
  const all = Array.from(rows.keys());
  const masked = all.filter((row) => mask !== undefined && rows[row].text === mask);
  return (masked.length > 0 ? masked : all).map((row) => {
    const at = [likeliest(row)];
    const text = nameOf(at[0][1]);
    return { text, label: `${tokenName(rows[row].text)} → ${text}`, tokens: [row], at };
  });
}

function nameIn({ tokenizer, config, vocabularySize }, { dims }, id) {
  if (dims.length > 1 && dims[1] === vocabularySize) {
    return tokenizer ? tokenName(tokenizer.decode([id])) || tokenizer.tokenOf(id) : String(id);
  }
  return config.id2label?.[id] ?? `class ${id}`;
}

const rowOf = ({ data, dims }, row) => data.subarray(row * dims.at(-1), (row + 1) * dims.at(-1));

const likeliestId = (logits, row) => {
  const all = rowOf(logits, row);
  return all.reduce((best, logit, id) => (logit > all[best] ? id : best), 0);
};

/** Σ ± ln softmax(row)[id]; `first`: the row that the logits begin with. */
function logProbabilityOf(logits, { at }, first = 0) {
  return at.reduce((sum, [row, id, sign = 1]) => {
    const all = rowOf(logits, row - first);
    const largest = all.reduce((most, logit) => Math.max(most, logit), -Infinity);
    const total = all.reduce((one, logit) => one + Math.exp(logit - largest), 0);
    return sum + sign * (all[id] - largest - Math.log(total));
  }, 0);
}
