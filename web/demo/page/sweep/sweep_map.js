// The map of a sweep: layers × heads, or targets × hidden words, as options of <attention-map>.

import { visibleText } from 'attention-wasm/heatmap';
import { placeOfPart } from '../../blocks.js';
import { tokenName } from '../../token_name.js';
import { effectOf, whole } from '../../state/effects.js';
import { formatCell, formatChance } from '../number_formats.js';

const minScale = 0.1; // smaller effects are pale
const negligible = 0.005; // displayed as 0.00

const names = { encoder: 'encoder', decoder: 'decoder', cross: 'cross', self: 'layer' };

/** Short name of a layer. */
function layerName(part) {
  const { stack, layer } = placeOfPart(part);
  return `${names[stack]} ${layer + 1}`;
}

/** A cell in words: "cross 2, head 1" or "“red”". */
export const cellName = ({ part, text }) =>
  part === undefined ? `“${visibleText(tokenName(text))}”` : `${layerName(part)}, ${text}`;

/** A cell and what is done to it. */
export const changeName = (cell) =>
  `${cellName(cell)} ${cell.part === undefined ? 'hidden' : 'switched off'}`;

export const formatEffect = (effect) => formatCell(effect, 2);

/** Name of an effect, without breaks of lines within. */
export const deltaOf = ({ versus }) => (versus === undefined ? 'Δ\u00a0ln\u00a0p' : 'Δ\u00a0d');

/** { rows: [[label, [{ index, target } of each cell, or null]]], columns: labels } */
function gridOf({ cells, targets, whole: name, over }, target) {
  if (over === 'heads') {
    const layers = new Map();
    cells.forEach(({ part }, index) => {
      layers.set(part, [...(layers.get(part) ?? []), { index, target }]);
    });
    const count = Math.max(...Array.from(layers.values(), ({ length }) => length));
    return {
      rows: Array.from(layers, ([part, list]) => [layerName(part), list]),
      columns: Array.from({ length: count }, (_, head) => String(head + 1)),
    };
  }
  const columns = cells.map(({ text }) => visibleText(tokenName(text)));
  const line = (one) => cells.map((_, index) => ({ index, target: one }));
  const rows = targets.map(({ label }, one) => [visibleText(label), line(one)]);
  return { rows: [...rows, ...(name ? [['all', line(whole)]] : [])], columns };
}

/** Draws sweeps: show(sweep, target) → the map; placeOf() and cellAt() convert between cells and places of the map. */
export function createGrid(sweep, target) {
  const { plan } = sweep;
  const { rows, columns } = gridOf(plan, target);
  const places = rows.flatMap(([, list]) => columns.map((_, column) => list[column] ?? null));
  const facts = places.map((place) => place && effectOf(sweep, place.index, place.target));
  const isBlocked = (place) => place !== null && plan.cells[place.index].isBlocked;
  const effects = facts.map((one) => one?.effect ?? 0);
  const scale = effects.reduce((most, one) => Math.max(most, Math.abs(one)), minScale);
  const at = ({ row, column }) => row * columns.length + column;
  return {
    plan,
    /** { index, target, … } of a place { row, column }; null where there is no cell. */
    cellAt: (where) => places[at(where)] && { ...places[at(where)], facts: facts[at(where)] },
    /** { row, column } of a cell. */
    placeOf({ index, target: one }) {
      const found = places.findIndex(
        (place) => place?.index === index && (plan.over === 'heads' || place.target === one),
      );
      return { row: Math.floor(found / columns.length), column: found % columns.length };
    },
    options: {
      weights: { data: Float64Array.from(effects), dims: [rows.length, columns.length] },
      rowLabels: rows.map(([label]) => label),
      columnLabels: columns,
      unseen: places.map((place, index) => (isBlocked(place) ? 2 : facts[index] ? 0 : 1)),
      signed: true,
      domain: [-scale, scale],
      threshold: negligible,
      cellAspect: 2.5,
      rowTitle: plan.over === 'heads' ? 'layer' : 'word',
      columnTitle: plan.over === 'heads' ? 'head' : 'hidden',
      valueTitle: 'effect',
      label:
        plan.over === 'heads'
          ? `Effect of each head: ${rows.length} layers, ${columns.length} heads`
          : `Effect of each hidden word: ${rows.length} rows, ${columns.length} words`,
      describe: ({ row, column }) => sentenceOf(sweep, places[at({ row, column })]),
    },
  };
}

/** Name of a target, for a sentence. */
export const targetName = ({ targets, whole: name }, target) =>
  target === whole ? name : `“${visibleText(targets[target].text)}”`;

/** A cell as a sentence. */
export function sentenceOf(sweep, place) {
  if (!place) return 'No head';
  const cell = sweep.plan.cells[place.index];
  const what = changeName(cell);
  if (cell.isBlocked) return `${what}: it is already`;
  const found = effectOf(sweep, place.index, place.target);
  if (!found) return `${what}: not measured yet`;
  const { was, now, effect } = found;
  const chances = `${formatChance(was)} → ${formatChance(now)}`;
  return `${what}: ${targetName(sweep.plan, place.target)} ${chances}, effect\u00a0${formatEffect(effect)}`;
}
