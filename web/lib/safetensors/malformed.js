// Error messages about malformed files.

/** The error of a file that breaks a rule of the format. */
export const malformed = (sentence) => new RangeError(`not a valid safetensors file: ${sentence}`);

/** A name in quotes, escaped to one line, truncated to 200 characters. */
export function quoted(text) {
  const line = JSON.stringify(text.slice(0, 200)).slice(1, -1);
  return `'${line}${text.length > 200 ? '…' : ''}'`;
}

/** A short description of a value of the header. */
export function spell(value) {
  if (value === undefined) return 'nothing';
  if (value instanceof Map) return 'an object';
  if (typeof value === 'string') return quoted(value);
  if (!Array.isArray(value)) return String(value).slice(0, 40);
  const items = value.slice(0, 8).map((item) => (Array.isArray(item) ? 'an array' : spell(item)));
  return `[${items.join(', ')}${value.length > 8 ? ', …' : ''}]`;
}
