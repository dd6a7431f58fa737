// The picture beside the picture: the same rows and columns with one thing otherwise, the scale, the kind, the layer
// or the head.

import { arrange } from './arrange.js';
import { eachStage, pictureOf } from './picture.js';
import { computeStages } from './stages.js';

/**
 * @param {{ part, reading, computed }} shown what the picture was made of
 * @param {import('../../types').Picture} picture arranged
 * @param {[string, string]} beside what differs, and its value: page/compare/choices.js has them all
 * @returns {import('../../types').Beside}
 */
export function besideOf(api, { part, reading, computed }, picture, [what, value], state) {
  const other = (what === 'part' && reading.parts.find(({ id }) => id === value)) || part;
  const settings = what === 'scale' || what === 'kind' ? { ...state, [what]: value } : state;
  const isSame = other === part && settings === state;
  const made = isSame ? computed : computeStages(api, other, reading, settings);
  const average = state.average && what !== 'head';
  const whole = pictureOf(other, reading, made.stages, { average });
  const arranged = arrange(whole, { ...state, sort: 'text' });
  const { stages, heads, hidden } = inOrderOf(picture, arranged);
  const asked = what === 'head' ? Number(value) : picture.average ? 0 : state.head;
  return {
    ...{ what, value, heads, hidden, options: made.options },
    parts: likeParts(reading, part),
    head: Math.min(Math.max(0, asked), heads - 1),
    stages: eachStage(stages, (values) =>
      Object.values(made.stages).includes(values) ? values.slice() : values,
    ),
  };
}

// The parts with the rows and columns of this one.
function likeParts({ parts }, part) {
  const isLike = (other) => other.rows === part.rows && other.columns === part.columns;
  return parts.filter(isLike).map(({ id }) => id);
}

// Its columns as those of the picture, which may be sorted.
function inOrderOf({ columnTokens }, arranged) {
  const placeOf = new Map(arranged.columnTokens.map((tokens, column) => [tokens[0], column]));
  const order = columnTokens.map((tokens) => placeOf.get(tokens[0]));
  const width = order.length;
  if (order.every((from, to) => from === to)) return arranged;
  const permute = (values) => values.map((_, at) => values[at - (at % width) + order[at % width]]);
  const { stages, hidden } = arranged;
  return { ...arranged, stages: eachStage(stages, permute), hidden: hidden && permute(hidden) };
}
