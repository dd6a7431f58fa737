// Reference shares of the model's heads: their means over a fixed set of sentences, measured during the build.

import { initialState } from '../../state_fields.js';
import { builtInModel, read } from '../models/built_in_model.js';
import { arrange } from './arrange.js';
import { isOneSequence } from './call_options.js';
import { sharesOf } from './head_roles.js';
import { computeWeights } from './stages.js';

/** @typedef {keyof HeadShares} ShareName */

/** Statements, questions and commands of several lengths; none is an example of the page. */
export const sentences = [
  'My sister lives in a small village near the sea.',
  'Where did you leave the keys of the house?',
  'We were late because the train did not stop here.',
  'Close the window before you go to bed.',
  'The old man gave his grandson a wooden boat.',
  'I have never seen such a beautiful garden.',
  'Do you want to come with us tomorrow?',
  'The teacher asked the children to be quiet.',
  'If it rains, we will stay at home and read.',
  'She bought three apples, two pears and some bread.',
  'The dog that barked all night belongs to our neighbor.',
  'He is taller than his brother, but not as strong.',
  'Nobody knew why the shop was closed.',
  'There is a letter on the table for you.',
  'They walked along the river until it was dark.',
  'I think that you should call the doctor.',
];

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { HeadShares, Part, DrawnReading, ReferenceShares } from '../../types' */
/** @import { OpeningContext, SourceQuestion } from '../types' */

/** @type {(api: AttentionApi) => OpeningContext} */
const context = (api) => ({ api, step: async () => {}, report: async () => {} });

/** @type {Promise<ReferenceShares> | undefined} */
let measured;

/**
 * Shares of the heads of each part; computed once.
 * @param {AttentionApi} api
 */
export const referenceShares = (api) => (measured ??= measure(api));

/**
 * @param {AttentionApi} api
 * @returns {Promise<ReferenceShares>}
 */
async function measure(api) {
  /** @type {Map<string, HeadShares[][]>} part → shares of its heads in each sentence */
  const found = new Map();
  const { translator } = await builtInModel(api);
  for (const second of sentences) {
    const first = translator.translate(second, { attention: false }).text;
    const reading = await read(translationOf(first, second), context(api));
    if (reading.kind === 'none') continue;
    for (const part of reading.parts) {
      found.set(part.id, [...(found.get(part.id) ?? []), sharesOfPart(api, part, reading)]);
    }
  }
  return Object.fromEntries(Array.from(found, ([id, list]) => [id, meansOf(list)]));
}

/** @type {(first: string, second: string) => SourceQuestion} */
const translationOf = (first, second) => {
  return { mode: 'cross', first, second, heads: 1, positions: false };
};

/**
 * @param {AttentionApi} api
 * @param {Part} part
 * @param {DrawnReading} reading
 */
function sharesOfPart(api, part, reading) {
  const picture = arrange(
    {
      ...{ rows: part.rows ?? reading.rows, columns: part.columns ?? reading.columns },
      ...{ heads: part.heads, hidden: null },
      stages: { weights: computeWeights(api, part, reading, initialState) },
    },
    initialState,
  );
  const shift = isOneSequence(part, reading) ? 0 : part.ordered ? 1 : null;
  return sharesOf(picture, picture.stages.weights, shift);
}

const digits = 4;

/**
 * Mean of each share over the sentences in which it is defined.
 * @param {HeadShares[][]} list
 * @returns {HeadShares[]}
 */
function meansOf(list) {
  return list[0].map((_, head) => {
    const names = new Set(list.flatMap((heads) => Object.keys(heads[head])));
    const means = Array.from(names, (name) => {
      const shares = list.flatMap((heads) => heads[head][/** @type {ShareName} */ (name)] ?? []);
      const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
      return [name, Number(mean.toFixed(digits))];
    });
    return /** @type {HeadShares} */ (Object.fromEntries(means));
  });
}
