// Numbers in tables and sentences, where all of one kind have the same decimals.

/** 0 is written so where it is exact. */
export function fixed(number, decimals = 2) {
  if (number === 0) return '0';
  const written = Math.abs(number).toFixed(decimals);
  const isNothing = Number(written) === 0;
  return number < 0 && !isNothing ? `−${written}` : written;
}
