// How numbers are written on the page: the same everywhere, with a true minus sign.

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

export function formatWeight(weight) {
  if (Number.isNaN(weight)) return 'not a number';
  if (weight === 0 || weight >= 0.0001) return weight.toFixed(5);
  const [digits, exponent] = weight.toExponential(1).split('e-');
  return `${digits} × 10⁻${Array.from(exponent, (digit) => superscripts[digit]).join('')}`;
}

export function formatScore(score) {
  if (Number.isNaN(score)) return 'not a number';
  if (score === -Infinity) return '−∞';
  const written = score.toFixed(4);
  return Number(written) === 0 ? '0.0000' : written.replace('-', '−');
}

/** Two digits for a small place: .07, 1.0, and 0 for what would be .00. */
export function formatBriefly(weight) {
  const hundredths = Math.round(weight * 100);
  if (Number.isNaN(hundredths)) return '?';
  if (hundredths === 0) return '0';
  return hundredths === 100 ? '1.0' : `.${String(hundredths).padStart(2, '0')}`;
}

/** A scale: as few digits as say it to three figures. */
export function formatScale(scale) {
  return String(Number(scale.toPrecision(3)));
}

/** A number among others: three decimals, a true minus. */
export function formatNumber(value) {
  if (Number.isNaN(value)) return 'not a number';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  const written =
    size !== 0 && (size < 0.0005 || size >= 1e5) ? value.toExponential(1) : value.toFixed(3);
  return Number(written) === 0 ? '0.000' : written.replaceAll('-', '−');
}
