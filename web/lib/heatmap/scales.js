// Color scales from zero to the maximum: 17 colors (bytes r, g, b in base64), interpolated linearly. The colors are those
// of d3-scale-chromatic: Blues, Greys and PuOr by Cynthia Brewer (colorbrewer.org), viridis by Stéfan van der Walt and
// Nathaniel Smith, cividis by Jamie Nuñez and others (doi 10.1371/journal.pone.0199239). All are suitable for color-blind
// readers.

const stops = {
  blues: '9/v/6/P73uv30uPzw9vusdLonMjihLzbba7VV6DOQ5HGMoG9InG0FWGoDFGYCUCDCDBr',
  cividis: 'ACBRAStlETZsJkJuPE1uUVhuYmRvcnBxf3x1jIh3mpR4qaF3u69xzr1o4stc89pP/epF',
  viridis: 'RAFUSBhqRy17QkCGO1KLM2ONLHKOJoKOIZGMH6CIKK6AP7xzXslihNRLrdww2OIZ/ecl',
  greys: '////9/f37+/v5OTk2NjYy8vLu7u7qampl5eXhYWFc3NzYmJiUFBQOzs7JiYmExMTAAAA',
};

/** Purple for negative values, orange for positive ones. */
const signed = 'LQBLRhpwXz2Pe2eomY6/tbDUzs3k4+Tu8+7q++fN/dWg+rtu7p092X4avmMLn04HfzsI';

/** A named scale as a function from 0…1 to [r, g, b]; 'signed' has zero at 0.5. Undefined for an unknown name. */
export function scaleOf(name) {
  if (name !== 'signed' && !Object.hasOwn(stops, name)) return undefined;
  const bytes = Uint8Array.from(atob(stops[name] ?? signed), (byte) => byte.charCodeAt(0));
  return between(Array.from({ length: 17 }, (_, i) => [...bytes.subarray(3 * i, 3 * i + 3)]));
}

/** Linear interpolation between the colors of a list. */
export const between = (list) => (fraction) => {
  const position = fraction * (list.length - 1);
  const first = Math.min(list.length - 2, Math.floor(position));
  return mix(list[first], list[first + 1], position - first);
};

export function mix(one, other, fraction) {
  return one.map((channel, i) => channel + (other[i] - channel) * fraction);
}
