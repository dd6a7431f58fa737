// A count of bytes in words, such as 12.3 MB.

const units = [
  { unit: 2 ** 30, name: 'GB' },
  { unit: 2 ** 20, name: 'MB' },
  { unit: 2 ** 10, name: 'kB' },
];

/** @param {number} bytes */
export function bytesAs(bytes) {
  const { unit, name } = units.find((one) => bytes >= one.unit) ?? { unit: 1, name: 'bytes' };
  return `${Number((bytes / unit).toPrecision(3))} ${name}`;
}
