// Export as CSV (one stage of one head) and as JSON (all tensors, for further computation); in the comparison also the
// second picture and the difference.

import { writeAddress } from '../address.js';
import { writeCSV } from './csv.js';
import { originOf, originText } from './origin.js';
import { lessTitle, pairOf, titlesFor } from '../views/compare_choices.js';
import { valuesOf } from '../views/head_of_picture.js';

/**
 * A line of column labels, which begins with the model or file, layer and head, then a line for each row with its label and
 * its numbers at full precision.
 */
export function toCSV(shown) {
  const { picture, selection, settings } = shown;
  const values = valuesOf(picture, settings.stage, selection.head);
  const { rows, columns } = picture;
  const lines = [[originText(shown), ...columns.map(({ text }) => text)]];
  rows.forEach(({ text }, row) => {
    const numbers = values.subarray(row * columns.length, (row + 1) * columns.length);
    lines.push([text, ...numbers]);
  });
  return writeCSV(lines);
}

/** Three matrices in one file; each line begins with the title of its matrix. A hidden cell is empty. */
export function pairToCSV(shown) {
  const { picture, selection, settings, state, facts } = shown;
  const { rows, columns } = picture;
  const titles = [...titlesFor({ state, facts, picture }), lessTitle];
  const lines = [[originText(shown), '', ...columns.map(({ text }) => text)]];
  pairOf(picture, selection, settings).forEach(({ stage, values, hidden }, at) => {
    const isNone = (index) => stage === 'difference' && hidden?.[index] === 1;
    rows.forEach(({ text }, row) => {
      const numbers = columns.map((_, column) => row * columns.length + column);
      const texts = numbers.map((index) => (isNone(index) ? '' : values[index]));
      lines.push([titles[at], text, ...texts]);
    });
  });
  return writeCSV(lines);
}

/** The alternative picture and the difference, for the same rows and columns. */
function besideOf({ picture, selection, settings, state, facts }) {
  const { what, value, head, heads, options, stages, hidden } = picture.beside;
  const [title, besideTitle] = titlesFor({ state, facts, picture });
  const size = [picture.rows.length, picture.columns.length];
  const tensor = (values) => values && { dims: [heads, ...size], data: Array.from(values) };
  const [own, , less] = pairOf(picture, selection, settings);
  return {
    title,
    beside: {
      ...{ title: besideTitle, differs: { [what]: value }, options },
      weights: tensor(stages.weights),
      scores: {
        raw: tensor(stages.raw),
        scaled: tensor(stages.scaled),
        masked: tensor(stages.masked),
      },
      hidden: hidden && { dims: size, data: Array.from(hidden) },
    },
    secondLessFirst: {
      ...{ stage: own.stage, heads: [selection.head, head], dims: size },
      data: Array.from(less.values, (number, at) => (less.hidden?.[at] === 1 ? null : number)),
    },
  };
}

/** Numbers that are not finite become null, as JSON has none; `hidden` marks those that were −∞. */
export function toJSON(shown, { options, query, key, value, mask, tokens }) {
  const { picture, state, facts, settings } = shown;
  const shape = [picture.heads, picture.rows.length, picture.columns.length];
  const tensor = (values, dims = shape) => values && { dims, data: Array.from(values) };
  const asGiven = (given) => given && tensor(given.data, given.dims);
  const { x, weights } = tokens;
  return JSON.stringify(
    {
      from: 'attention-wasm',
      origin: originOf(shown),
      texts: facts.texts,
      ...(facts.cut && { read: facts.cut }),
      part: picture.name,
      average: picture.average,
      ...(facts.made && { made: facts.made }),
      link: writeAddress(state),
      settings: settingsOf(state),
      options,
      rows: picture.rows.map(({ text }) => text),
      columns: picture.columns.map(({ text }) => text),
      weights: tensor(picture.stages.weights),
      scores: {
        raw: tensor(picture.stages.raw),
        scaled: tensor(picture.stages.scaled),
        masked: tensor(picture.stages.masked),
      },
      moved: tensor(picture.stages.moved),
      difference: tensor(picture.stages.difference),
      hidden: picture.hidden && { dims: shape.slice(1), data: Array.from(picture.hidden) },
      ...(isPair(picture, settings) && besideOf(shown)),
      query: asGiven(query),
      key: asGiven(key),
      value: asGiven(value),
      mask: asGiven(mask),
      // Tokens before hiding, merging and sorting: what it takes to show the same picture again.
      tokens: {
        ...tokens,
        x: x && { rows: asGiven(x.rows), columns: asGiven(x.columns) },
        weights: asGiven(weights),
      },
    },
    null,
    1,
  );
}

/** True if the view is a comparison. */
export const isPair = ({ beside }, { view }) => view === 'compare' && Boolean(beside);

function settingsOf(state) {
  const { mode, source, kind, scale, ownScale, temperature, softcap, heads, positions, fused } =
    state;
  const { causal, windowLeft, windowRight, hideSpecial, merge, pair, sort, block } = state;
  return {
    ...{ mode, source, kind, scale, ownScale, temperature, softcap, heads, positions, fused },
    ...{ causal, window: [windowLeft, windowRight], hideSpecial, merge, pair, sort },
    ...(block && { block }),
  };
}
