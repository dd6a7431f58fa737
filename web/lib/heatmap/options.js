// The options of heatmap(): their types and defaults.

import { describe } from '../arguments/describe.js';
import { boolean, callback, number, readOptions, string } from '../arguments/options.js';
import { typedArrayName } from '../arguments/typed_array.js';
import { defaultExponent } from './ramp.js';

export const heatmapKinds = {
  weights: tensorOrList,
  head: number,
  rowLabels: labels,
  columnLabels: labels,
  unseen: anyList,
  domain,
  signed: boolean,
  exponent,
  threshold: number,
  colors,
  numbers: boolean,
  percent: boolean,
  labels: boolean,
  legend: boolean,
  cellAspect,
  label: string,
  rowTitle: string,
  columnTitle: string,
  valueTitle: string,
  describe: callback,
  selected: cell,
  onSelect: callback,
  onHover: callback,
  onView: callback,
};

const defaults = {
  domain: 'global',
  exponent: defaultExponent,
  threshold: 0,
  colors: 'blues',
  numbers: true,
  percent: false,
  labels: true,
  legend: true,
  cellAspect: 1,
  label: 'Attention weights',
  rowTitle: '',
  columnTitle: '',
  valueTitle: 'weight',
};

/** previous: the current options, which absent ones keep. Null resets an option to its default. */
export function readHeatmapOptions(where, options, previous = defaults) {
  const read = { ...previous, ...readOptions(where, options, heatmapKinds) };
  for (const name of Object.keys(options ?? {})) {
    if (options[name] === null) read[name] = defaults[name];
  }
  if (!read.weights) throw new TypeError(`${where}() needs the option 'weights'`);
  return read;
}

const isList = (value) => Array.isArray(value) || typedArrayName(value) !== undefined;

export function anyList(value, name) {
  if (isList(value)) return value;
  throw new TypeError(`${name} must be an array of numbers, found ${describe(value)}`);
}

function tensorOrList(value) {
  if (isList(value) || (typeof value === 'object' && value.data && value.dims)) return value;
  throw new TypeError(
    `weights must be { data, dims }, an array of rows or a flat array, found ${describe(value)}`,
  );
}

function labels(value, name) {
  if (!Array.isArray(value)) {
    throw new TypeError(`${name} must be an array of strings, found ${describe(value)}`);
  }
  return value.map((text, at) => string(text, `${name}[${at}]`));
}

function domain(value) {
  if (value === 'global' || value === 'row') return value;
  const isRange =
    Array.isArray(value) &&
    value.length === 2 &&
    value.every(Number.isFinite) &&
    value[0] < value[1];
  if (isRange) return value;
  throw new RangeError(
    `domain must be 'global', 'row' or [lowest, highest], found ${Array.isArray(value) ? `[${value}]` : describe(value)}`,
  );
}

function exponent(value, name) {
  if (number(value, name) > 0 && value <= 10) return value;
  throw new RangeError(`exponent must be more than 0 and at most 10, found ${value}`);
}

function cellAspect(value, name) {
  if (number(value, name) >= 1 && value <= 10) return value;
  throw new RangeError(`cellAspect must be between 1 and 10, found ${value}`);
}

function colors(value) {
  if (typeof value === 'string' || typeof value === 'function') return value;
  if (Array.isArray(value) && value.length >= 2) return value;
  throw new TypeError(
    `colors must be the name of a scale, an array of colors or a function, found ${describe(value)}`,
  );
}

function cell(value, name) {
  const { row, column } = value;
  if (Number.isInteger(row) && Number.isInteger(column)) return { row, column };
  throw new TypeError(`${name} must be { row, column }, found ${describe(value)}`);
}
