// Formats numbers, with a minus sign (U+2212) and a limited number of digits.

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/**
 * In full: 0.43120, −1.7320, 3.1 × 10⁻⁵.
 *
 * @param {number} value
 * @param {{ decimals?: number }} options digits after the point, except in scientific notation
 */
export function formatValue(value, { decimals } = {}) {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) {
    const [digits, exponent] = value.toExponential(1).split('e');
    const raised = Array.from(exponent.replace('+', ''), (sign) => superscripts[sign] ?? '⁻');
    return `${minus(digits)} × 10${raised.join('')}`;
  }
  return minus(value.toFixed(decimals ?? (size < 1 ? 5 : size < 100 ? 4 : 2)));
}

/** For cells, two digits: .07, 1.0, −3.2; values that would round to .00 are 0. */
export function formatBriefly(value) {
  if (Number.isNaN(value)) return '?';
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  if (size < 0.005) return '0';
  const sign = value < 0 ? '−' : '';
  if (size < 0.995) return `${sign}${size.toFixed(2).slice(1)}`;
  if (size < 9.95) return `${sign}${size.toFixed(1)}`;
  return sign + (size < 999.5 ? size.toFixed(0) : size.toExponential(0).replace('e+', 'e'));
}

/** For the ends of a scale: three significant digits, without trailing zeros. */
export function formatEnd(value) {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e4)) return formatValue(value);
  return minus(String(Number(value.toPrecision(3))));
}

const percentSign = '\u00a0%';

/** In full, in percent: 99.674 %. */
function percentValue(value) {
  const percent = 100 * value;
  if (!Number.isFinite(value)) return notFinite(value);
  return formatValue(percent, { decimals: Math.abs(percent) < 1 ? 5 : 3 }) + percentSign;
}

/** For cells, in percent without the sign, at most three digits: 83, 99.7, · for what rounds to 0. */
function percentBriefly(value) {
  if (!Number.isFinite(value)) return formatBriefly(value);
  const size = Math.abs(100 * value);
  if (size < 0.5) return '·';
  // What is not all does not round to all.
  const isAlmostAll = size >= 99.5 && size < 99.95;
  return (value < 0 ? '−' : '') + size.toFixed(isAlmostAll ? 1 : 0);
}

function percentEnd(value) {
  return value === 0 || !Number.isFinite(value)
    ? formatEnd(value)
    : formatEnd(100 * value) + percentSign;
}

/** Formats of a heat map: of a cell, of an end of the scale, and of a value in full. */
export const formatsOf = ({ percent }) =>
  percent
    ? { brief: percentBriefly, end: percentEnd, full: percentValue }
    : { brief: formatBriefly, end: formatEnd, full: formatValue };

function notFinite(value) {
  if (Number.isNaN(value)) return 'not a number';
  return value > 0 ? '∞' : '−∞';
}

function minus(written) {
  return Number(written) === 0 ? written.replace('-', '') : written.replace('-', '−');
}
