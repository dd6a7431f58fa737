// Comparison: the same rows and columns with another scale, kind, layer or head.

import { arrange } from './arrange.js';
import { movedOf } from './moved.js';
import { eachStage, pictureOf } from './picture.js';
import { computeStages } from './stages.js';

/**
 * @param {{ part, reading, computed }} shown source of the picture
 * @param {import('../../types').Picture} picture arranged
 * @param {[string, string]} beside changed setting and its value, see page/compare/choices.js
 * @returns {import('../../types').Beside}
 */
export function besideOf(api, { part, reading, computed }, picture, [what, value], state) {
  const other = (what === 'part' && reading.parts.find(({ id }) => id === value)) || part;
  const settings = what === 'scale' || what === 'kind' ? { ...state, [what]: value } : state;
  const isSame = other === part && settings === state;
  const made = isSame ? computed : computeStages(api, other, reading, settings);
  const average = state.average && what !== 'head';
  const isMoved = state.stage === 'moved' && other.projection;
  const all = isMoved
    ? { ...made.stages, moved: movedOf(other, made.stages.weights) }
    : made.stages;
  const whole = pictureOf(other, reading, all, { average });
  const arranged = arrange(whole, { ...state, sort: 'text' });
  const { stages, heads, hidden } = inOrderOf(picture, arranged);
  const requestedHead = what === 'head' ? Number(value) : picture.average ? 0 : state.head;
  return {
    ...{ what, value, heads, hidden, options: made.options },
    parts: likeParts(reading, part),
    head: Math.min(Math.max(0, requestedHead), heads - 1),
    stages: eachStage(stages, (values) =>
      Object.values(made.stages).includes(values) ? values.slice() : values,
    ),
  };
}

// Parts with the same rows and columns.
function likeParts({ parts }, part) {
  const isLike = (other) => other.rows === part.rows && other.columns === part.columns;
  return parts.filter(isLike).map(({ id }) => id);
}

// Reorders columns as in the picture, which may be sorted.
function inOrderOf({ columnTokens }, arranged) {
  const placeOf = new Map(arranged.columnTokens.map((tokens, column) => [tokens[0], column]));
  const order = columnTokens.map((tokens) => placeOf.get(tokens[0]));
  const width = order.length;
  if (order.every((from, to) => from === to)) return arranged;
  const permute = (values) => values.map((_, at) => values[at - (at % width) + order[at % width]]);
  const { stages, hidden } = arranged;
  return { ...arranged, stages: eachStage(stages, permute), hidden: hidden && permute(hidden) };
}
