// Describes an unexpected value for an error message: `'text'`, `an array`, `a Float32Array`.
/** @param {unknown} value */
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return 'an array';
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name === 'Object' ? 'object' : name}`;
}
