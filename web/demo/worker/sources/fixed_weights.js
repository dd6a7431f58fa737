// Weights that are given and not computed: nothing of how they would be applies.

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

/** `fixed`: the sentence that says whose they are. */
export const fixedBy = (fixed) => ({
  fixed,
  overruled: Object.fromEntries(computing.map((name) => [name, fixed])),
});
