// The attention of the model that learns: one head, large, and all heads to choose from.
import { element, write } from '../element.js';
import { create as createHeads } from '../views/heads_view.js';
import { createSentenceLine } from '../sentence/sentence.js';
import { directions, ordinalOf, unitOf } from './task_texts.js';

/** @import { Selection } from '../../state/types' */

const matrixOf = ({ weights, rows, columns }, head) => {
  const size = rows.length * columns.length;
  return weights.subarray(head * size, (head + 1) * size);
};

/** All heads of a part, for heads.js. */
const headsOf = (part) =>
  Array.from({ length: part.heads }, (_, head) => ({
    ...{ part: part.part, name: part.name, head, role: null },
    ...{ rows: part.rows.length, columns: part.columns.length, weights: matrixOf(part, head) },
  }));

/** The selected cell: the reader's, or the strongest of the first row. */
function selectedIn(part, head, picked) {
  const { rows, columns } = part;
  if (picked && picked.row < rows.length && picked.column < columns.length) return picked;
  const weights = matrixOf(part, head).subarray(0, columns.length);
  return { row: 0, column: weights.indexOf(Math.max(...weights)) };
}

/** Arguments of sentenceParts(). What is written is named by its place: the same digit may come twice. */
function sentenceOf({ part, rows, columns, heads, weights, causal }, place, unit) {
  const isWritten = part.startsWith('cross') || part.startsWith('decoder');
  const picture = {
    ...{ part, heads, average: false, hidden: null, stages: { weights } },
    rows: rows.map((text, at) => ({ text, ...(isWritten && { name: ordinalOf(at, unit) }) })),
    columns: columns.map((text) => ({ text })),
  };
  return { picture, facts: { causal }, place, source: 'model' };
}

export function createRunAttention() {
  let parts = []; // of the worker's latest example
  let task = null;
  let chosen = null; // { part, head } of the large matrix
  let picked = null; // { row, column } that the reader selected; without it, the strongest weight of the first row
  const map = element('attention-map', {
    select({ detail: { row, column } }) {
      picked = { row, column };
      showHead();
    },
  });
  const mapName = element('h3');
  const line = element('p', { class: 'looking empty' });
  const sentence = createSentenceLine(line);
  const mapSays = element('p', { class: 'hint' });
  const grid = element('div');
  const heads = createHeads(grid, {
    name: 'learn',
    enlarges: false, // the large matrix is beside it
    /** @param {Selection} place a head, another pair of words, or both */
    select({ part, head, row, column }) {
      if (part !== undefined) chosen = { part, head };
      if (row !== undefined) picked = { row, column };
      showHead();
    },
    hover: (position) => map.hover(position),
  });

  /** The chosen head, large, and marked among all. */
  function showHead() {
    const part = parts.find((one) => one.part === chosen.part);
    const { rows, columns, name, causal } = part;
    const title = `${name}, head ${chosen.head + 1}`;
    const selected = selectedIn(part, chosen.head, picked);
    write(mapName, title);
    map.update({
      weights: { data: matrixOf(part, chosen.head), dims: [rows.length, columns.length] },
      ...{ rowLabels: rows, columnLabels: columns, label: title, domain: [0, 1] },
      unseen: causal
        ? rows.flatMap((_, row) => columns.map((__, column) => Number(column > row)))
        : null,
      selected,
    });
    sentence.show(sentenceOf(part, { head: chosen.head, ...selected }, unitOf(task)));
    write(mapSays, directions[part.part.split('.')[0]](unitOf(task)));
    const thumbnails = parts.flatMap(headsOf);
    heads.show(
      { thumbnails, average: false, part: part.part, name, rows, columns },
      { ...chosen, ...selected },
      { unit: `${unitOf(task)}s` },
    );
  }

  return {
    elements: [element('div', { class: 'learn-map' }, mapName, map, line, mapSays), grid],

    /** Forgets the chosen head: the next run may have others. */
    reset() {
      chosen = null;
      picked = null;
    },

    show(example, now) {
      [parts, task] = [example.parts, now];
      // The induction head is in the last layer.
      const watched = task === 'repeat' ? parts.at(-1) : parts[0];
      chosen ??= { part: watched.part, head: 0 };
      showHead();
    },
  };
}
