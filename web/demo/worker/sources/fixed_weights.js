// Reading of given weights: settings of the computation do not apply.

const computing = [
  'scale',
  'ownScale',
  'temperature',
  'softcap',
  'causal',
  'window',
  'kind',
  'heads',
];

/** `fixed`: sentence that names the origin of the weights. */
export const fixedBy = (fixed) => ({
  fixed,
  overruled: Object.fromEntries(computing.map((name) => [name, fixed])),
});
