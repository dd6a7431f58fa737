// Scales of colour, from nothing to the largest, as 17 colours (bytes r, g, b in base64) with straight lines between. They are
// those of d3-scale-chromatic: Blues, Greys and PuOr by Cynthia Brewer (colorbrewer.org), viridis by
// Stéfan van der Walt and Nathaniel Smith, cividis by Jamie Nuñez and others (doi 10.1371/journal.pone.0199239).
// All can be told apart by the colour-blind; a test holds them to the originals.

const stops = {
  blues: '9/v/6/P73uv30uPzw9vusdLonMjihLzbba7VV6DOQ5HGMoG9InG0FWGoDFGYCUCDCDBr',
  cividis: 'ACBRAStlETZsJkJuPE1uUVhuYmRvcnBxf3x1jIh3mpR4qaF3u69xzr1o4stc89pP/epF',
  viridis: 'RAFUSBhqRy17QkCGO1KLM2ONLHKOJoKOIZGMH6CIKK6AP7xzXslihNRLrdww2OIZ/ecl',
  greys: '////9/f37+/v5OTk2NjYy8vLu7u7qampl5eXhYWFc3NzYmJiUFBQOzs7JiYmExMTAAAA',
};

/** Purple for less than nothing, orange for more. */
const signed = 'LQBLRhpwXz2Pe2eomY6/tbDUzs3k4+Tu8+7q++fN/dWg+rtu7p092X4avmMLn04HfzsI';

/** A named scale as a function from 0…1 to [r, g, b]; 'signed' has its nothing at 0.5. Undefined for another name. */
export function scaleOf(name) {
  if (name !== 'signed' && !Object.hasOwn(stops, name)) return undefined;
  const bytes = Uint8Array.from(atob(stops[name] ?? signed), (byte) => byte.charCodeAt(0));
  return between(Array.from({ length: 17 }, (_, i) => [...bytes.subarray(3 * i, 3 * i + 3)]));
}

/** Straight lines from colour to colour of a list. */
export const between = (list) => (share) => {
  const place = share * (list.length - 1);
  const first = Math.min(list.length - 2, Math.floor(place));
  return mix(list[first], list[first + 1], place - first);
};

export function mix(one, other, share) {
  return one.map((channel, i) => channel + (other[i] - channel) * share);
}
