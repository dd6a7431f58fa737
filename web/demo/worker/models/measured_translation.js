// The built-in model with one set of blocks after another: the log probabilities of the words of a translation that stays
// the same.

import { wordsIn } from '../sources/token_groups.js';
import { blockedOptions } from './blocked_run.js';
import { builtInModel } from './built_in_model.js';

/** @import { Translation } from 'attention-wasm/translator' */
/** @import { MeasuredQuestion, MeasuringContext } from '../types' */

/**
 * Runs the model with the blocks `now`, then with each of `blocks`. Calls begin({ targets, whole, written?, logProbabilities }),
 * then add(logProbabilities) for each run.
 * @param {MeasuredQuestion} question
 * @param {MeasuringContext} context
 */
export async function measure({ request, reading, now, blocks }, { api, step, begin, add }) {
  const { description, translator } = await builtInModel(api);
  const { texts = [] } = reading;
  const english = texts[texts.length - 1];
  const encoder = translator.tokenize(english).tokens.length;
  /** @param {string} block */
  const optionsFor = (block) => ({
    ...{ attention: false, wordLogProbabilities: true },
    ...blockedOptions(block, description, { encoder, decoder: Infinity }),
  });
  const isEncoder = request.mode === 'self';
  const target = isEncoder ? translator.translate(english, optionsFor(now)).text : texts[0];
  /** @param {string} block */
  const run = (block) => translator.translate(english, { ...optionsFor(block), target });
  const base = run(now);
  const words = wordsIn(base.target.tokens);
  /** @param {Translation} result */
  const logsOf = ({ wordLogProbabilities = [] }) => Float64Array.from(wordLogProbabilities);
  begin({
    // The picture of the encoder alone has no rows of the translation.
    targets: words.map(({ text, tokens }) => ({
      text,
      label: text,
      tokens: isEncoder ? [] : tokens,
    })),
    whole: 'the translation',
    ...(isEncoder && { written: target }),
    logProbabilities: logsOf(base),
  });
  for (const block of blocks) {
    await step();
    add(logsOf(run(block)));
  }
}
