// Readings of the trained model for a request: of its encoder, or of a translation; with blocks they are those of
// blocked_model.js, which is loaded with the first.

import { asVectors, readEnglish, readingOf, rememberTranslation } from './trained_readings.js';
import { beginning, loadModel, maxTranslated } from './translator.js';

/** @import { Reading } from '../../types' */
/** @import { ReadingContext, SourceQuestion } from '../types' */

const blocked = () => import('./blocked_model.js');

/**
 * @param {SourceQuestion} question
 * @param {ReadingContext} context
 * @returns {Promise<Reading>}
 */
export async function read({ mode, begin = '', block, ...texts }, { api, step, report }) {
  const translator = await loadModel(api, report);
  await step();
  if (mode === 'self') {
    const { text: first, cut } = beginning(translator, texts.first);
    if (block) return { ...(await blocked()).readEnglishWith(block, translator, first), cut };
    return { ...readEnglish(translator, first), cut };
  }
  const limit = maxTranslated;
  const { text: first, cut: cutFirst } = beginning(translator, texts.first, {
    ...{ limit, of: 'the French text' },
  });
  const { text: second, cut: cutSecond } = beginning(translator, texts.second, {
    ...{ limit, of: 'the English text' },
  });
  const cut = [cutSecond, cutFirst].filter(Boolean).join(' ');
  if (block) {
    const { readFrenchWith } = await blocked();
    return {
      ...(await readFrenchWith(block, translator, { first, second, begin }, { step, report })),
      cut,
    };
  }
  if (first.trim() === '' && second.trim() !== '') {
    // Reports the translation token by token, each with its attention.
    const steps = translator.steps(second, { ...asVectors, begin });
    for (;;) {
      const { value, done } = steps.next();
      if (done) {
        rememberTranslation(second, begin, value.text);
        return { ...readingOf(value, translator), cut };
      }
      const soFar = translator.translate(second, { ...asVectors, target: value.text });
      await report({ text: value.text, reading: { ...readingOf(soFar), unfinished: true } });
      await step();
    }
  }
  const own = translator.translate(second, { ...asVectors, target: first });
  return { ...readingOf(own, translator), cut };
}
