// The bandwidth b of a similarity by distance, said by the scale that softmax would have, so that both can be
// turned alike.

const bandwidths = {
  __proto__: null,
  // |q − k|² = 2 − 2 q·k where both have length 1: there exp(−|q − k|² / 2b²) weighs as exp(scale · q·k) does.
  gaussian: (scale) => 1 / Math.sqrt(scale),
  // Two vectors of length 1 with nothing in common are about √dim apart.
  laplacian: (scale, dim) => Math.sqrt(dim) / scale,
};

/** Undefined for a similarity without a bandwidth, and for a scale that is not above 0. */
export const bandwidthOf = (similarity, scale, dim) =>
  scale > 0 ? bandwidths[similarity]?.(scale, dim) : undefined;

const warmed = {
  __proto__: null,
  gaussian: (bandwidth, temperature) => bandwidth * Math.sqrt(temperature),
  laplacian: (bandwidth, temperature) => bandwidth * temperature,
};

/** The bandwidth where the scale is divided by a temperature. */
export const atTemperature = (similarity, bandwidth, temperature) =>
  warmed[similarity](bandwidth, temperature);
