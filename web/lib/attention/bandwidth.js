// The bandwidth b of a distance-based similarity that corresponds to a scale of softmax, so that one control sets both.

const bandwidths = {
  __proto__: null,
  // |q − k|² = 2 − 2 q·k where both have length 1: there exp(−|q − k|² / 2b²) gives the weights of exp(scale · q·k).
  gaussian: (scale) => 1 / Math.sqrt(scale),
  // The L1 distance of two random vectors of length 1 is about √dim.
  laplacian: (scale, dim) => Math.sqrt(dim) / scale,
};

/** The bandwidth; undefined for a similarity without one, and for a scale ≤ 0. */
export const bandwidthOf = (similarity, scale, dim) =>
  scale > 0 ? bandwidths[similarity]?.(scale, dim) : undefined;

const warmed = {
  __proto__: null,
  gaussian: (bandwidth, temperature) => bandwidth * Math.sqrt(temperature),
  laplacian: (bandwidth, temperature) => bandwidth * temperature,
};

/** The bandwidth that corresponds to the scale divided by a temperature. */
export const atTemperature = (similarity, bandwidth, temperature) =>
  warmed[similarity](bandwidth, temperature);
