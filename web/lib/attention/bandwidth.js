// The bandwidth b of a distance-based similarity that corresponds to a scale of softmax, so that one control sets both.

/** @typedef {'gaussian' | 'laplacian'} DistanceSimilarity */

/** @type {{ [Name in DistanceSimilarity]: (scale: number, dim: number) => number } & { __proto__: null }} */
const bandwidths = {
  __proto__: null,
  // |q − k|² = 2 − 2 q·k where both have length 1: there exp(−|q − k|² / 2b²) gives the weights of exp(scale · q·k).
  gaussian: (scale) => 1 / Math.sqrt(scale),
  // The L1 distance of two random vectors of length 1 is about √dim.
  laplacian: (scale, dim) => Math.sqrt(dim) / scale,
};

/**
 * The bandwidth; undefined for a similarity without one, and for a scale ≤ 0.
 *
 * @type {(similarity: string, scale: number, dim: number) => number | undefined}
 */
export const bandwidthOf = (similarity, scale, dim) =>
  scale > 0 && isDistance(similarity) ? bandwidths[similarity](scale, dim) : undefined;

/** @returns {similarity is DistanceSimilarity} */
const isDistance = (/** @type {string} */ similarity) => Object.hasOwn(bandwidths, similarity);

/** @type {{ [Name in DistanceSimilarity]: (bandwidth: number, temperature: number) => number } & { __proto__: null }} */
const warmed = {
  __proto__: null,
  gaussian: (bandwidth, temperature) => bandwidth * Math.sqrt(temperature),
  laplacian: (bandwidth, temperature) => bandwidth * temperature,
};

/**
 * The bandwidth that corresponds to the scale divided by a temperature.
 *
 * @type {(similarity: DistanceSimilarity, bandwidth: number, temperature: number) => number}
 */
export const atTemperature = (similarity, bandwidth, temperature) =>
  warmed[similarity](bandwidth, temperature);
