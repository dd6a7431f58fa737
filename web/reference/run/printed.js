// Formats values as Node.js's console.log() does, one line per call, for small values.
/** @import { TypedArray } from '../../lib/arguments/typed_array.js' */

const maxEntries = 100; // of an array

function shortened(list, show) {
  const shown = list.slice(0, maxEntries).map(show);
  if (list.length > maxEntries) shown.push(`… ${list.length - maxEntries} more`);
  return shown;
}

const inside = (brackets, entries) =>
  entries.length === 0 ? brackets : `${brackets[0]} ${entries.join(', ')} ${brackets[1]}`;

const quoted = (text) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);

function showObject(value, depth) {
  if (value instanceof Error) return String(value);
  const { name } = value.constructor ?? {};
  const show = (one) => showValue(one, depth + 1);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const array = /** @type {TypedArray} */ (value);
    return `${name}(${array.length}) ${inside('[]', shortened([...array.subarray(0, maxEntries + 1)], show))}`;
  }
  if (depth > 2) return Array.isArray(value) ? '[Array]' : '[Object]';
  if (Array.isArray(value)) return inside('[]', shortened(value, show));
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const isMap = value instanceof Map;
  const shown = shortened(entries, ([key, one]) =>
    isMap
      ? `${show(key)} => ${show(one)}`
      : `${/^[\w$]+$/.test(key) ? key : quoted(key)}: ${show(one)}`,
  );
  const prefix = isMap ? `Map(${value.size}) ` : name && name !== 'Object' ? `${name} ` : '';
  return prefix + inside('{}', shown);
}

function showValue(value, depth) {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return String(value);
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'function') return `[Function: ${value.name || '(anonymous)'}]`;
  return typeof value === 'object' && value !== null ? showObject(value, depth) : String(value);
}

/** The line of a call. */
export function printed(...values) {
  return values.map((one) => (typeof one === 'string' ? one : showValue(one, 0))).join(' ');
}
