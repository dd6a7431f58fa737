// The picture as CSV (one stage of one head) and as JSON (everything, to go on computing with).

import { csvRecord } from '../../../lib/command/csv.js';
import { writeAddress } from '../address.js';
import { valuesOf } from '../views/head_of_picture.js';

/** RFC 4180: a line of column labels, then for each row its label and its numbers, in full. */
export function toCSV(picture, { head }, { stage }) {
  const values = valuesOf(picture, stage, head);
  const { rows, columns } = picture;
  const lines = [['', ...columns.map(({ text }) => text)]];
  rows.forEach(({ text }, row) => {
    const numbers = values.subarray(row * columns.length, (row + 1) * columns.length);
    lines.push([text, ...Array.from(numbers, String)]);
  });
  return `${lines.map(csvRecord).join('\r\n')}\r\n`;
}

/** Numbers that are not finite become null, as JSON has none; `hidden` says where they were −∞. */
export function toJSON(picture, state, facts, { options, query, key, value, tokens }) {
  const shape = [picture.heads, picture.rows.length, picture.columns.length];
  const tensor = (values, dims = shape) => values && { dims, data: Array.from(values) };
  const asGiven = (given) => given && tensor(given.data, given.dims);
  const { x, weights } = tokens;
  return JSON.stringify(
    {
      from: 'attention-wasm',
      texts: facts.texts,
      part: picture.name,
      average: picture.average,
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
      difference: tensor(picture.stages.difference),
      hidden: picture.hidden && { dims: shape.slice(1), data: Array.from(picture.hidden) },
      query: asGiven(query),
      key: asGiven(key),
      value: asGiven(value),
      // Before any is left out, merged or sorted: what it takes to show the same again.
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

function settingsOf(state) {
  const { mode, source, kind, scale, ownScale, temperature, softcap, heads, positions } = state;
  const { causal, windowLeft, windowRight, hideSpecial, merge, sort } = state;
  return {
    ...{ mode, source, kind, scale, ownScale, temperature, softcap, heads, positions },
    ...{ causal, window: [windowLeft, windowRight], hideSpecial, merge, sort },
  };
}
