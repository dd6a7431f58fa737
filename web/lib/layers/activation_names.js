// The activations of feed-forward layers.
export const activationNames = /** @type {const} */ ([
  'relu',
  'gelu',
  'gelu_tanh',
  'quick_gelu',
  'silu',
]);
