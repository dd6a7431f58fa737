// The activations of feed-forward layers.
export const activationNames = ['relu', 'gelu', 'gelu_tanh', 'quick_gelu', 'silu'];
