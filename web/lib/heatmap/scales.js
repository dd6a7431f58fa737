// Scales of colour, from nothing to the largest, as 17 colours with straight lines between them. They are
// those of d3-scale-chromatic: Blues, Greys and PuOr by Cynthia Brewer (colorbrewer.org), viridis by
// Stéfan van der Walt and Nathaniel Smith, cividis by Jamie Nuñez and others (doi 10.1371/journal.pone.0199239).
// All can be told apart by the colour-blind; a test holds them to the originals.

const stops = {
  blues:
    'f7fbffebf3fbdeebf7d2e3f3c3dbeeb1d2e89cc8e284bcdb6daed557a0ce4391c63281bd2271b41561a80c519809408308306b',
  cividis:
    '002051012b6511366c26426e3c4d6e51586e62646f7270717f7c758c88779a9478a9a177bbaf71cebd68e2cb5cf3da4ffdea45',
  viridis:
    '44015448186a472d7b4240863b528b33638d2c728e26828e21918c1fa08828ae803fbc735ec96284d44baddc30d8e219fde725',
  greys:
    'fffffff7f7f7efefefe4e4e4d8d8d8cbcbcbbbbbbba9a9a99797978585857373736262625050503b3b3b262626131313000000',
};

/** Purple for less than nothing, orange for more. */
const signed =
  '2d004b461a705f3d8f7b67a8998ebfb5b0d4cecde4e3e4eef3eeeafbe7cdfdd5a0fabb6eee9d3dd97e1abe630b9f4e077f3b08';

export const scaleNames = Object.keys(stops);

/** The colour [r, g, b] at `share`, 0 to 1, of a named scale; 'signed' has its nothing at 0.5. */
export function colorAt(name, share) {
  const hex = name === 'signed' ? signed : stops[name];
  const place = share * 16;
  const first = Math.min(15, Math.floor(place));
  return mix(stop(hex, first), stop(hex, first + 1), place - first);
}

export function mix(one, other, share) {
  return one.map((channel, i) => channel + (other[i] - channel) * share);
}

function stop(hex, index) {
  return [0, 2, 4].map((at) => parseInt(hex.slice(6 * index + at, 6 * index + at + 2), 16));
}
