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

function notFinite(value) {
  if (Number.isNaN(value)) return 'not a number';
  return value > 0 ? '∞' : '−∞';
}

function minus(written) {
  return Number(written) === 0 ? written.replace('-', '') : written.replace('-', '−');
}
